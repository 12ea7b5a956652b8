import type { Layout } from "../../../../shared/model/wallboard/tile-parts.ts";
import type { Grid } from "../../../../shared/model/wallboard/wallboard.ts";
import { labelSize, READABLE_ARC_MINUTES, viewingAngle } from "../../tiles/label-size.ts";

const MM_PER_INCH = 25.4;
const MM_PER_METRE = 1_000;

/** A screen on a wall and how far away its readers are. */
export interface ViewedScreen {
  /** The resolution in pixels; only its aspect ratio matters. */
  width: number;
  height: number;
  /** Visible diagonal. */
  diagonalInches: number;
  /** From the eye to the screen. */
  distanceMetres: number;
}

/** A tile whose text is too small, and the distance from which it is readable. */
export interface Unreadable {
  id: string;
  metres: number;
}

/** A placed tile, and the scale of its smallest text (text-scale.ts). */
interface PlacedTile {
  id: string;
  layout: Layout;
  share?: number;
}

/**
 * The tiles whose capitals are seen under less than 16 minutes of arc from the viewing distance
 * (ISO 9241-303: at least 16, preferably 20 to 22).
 */
export function unreadableTiles(
  tiles: readonly PlacedTile[],
  grid: Grid,
  screen: ViewedScreen,
): Unreadable[] {
  return tiles
    .map((tile) => ({ id: tile.id, metres: readableFromMetres(tile, grid, screen) }))
    .filter(({ metres }) => metres < screen.distanceMetres - 0.05);
}

/** The distance from which the text of a tile is readable, in metres. */
export function readableFromMetres(
  { layout, share = 1 }: Omit<PlacedTile, "id">,
  grid: Grid,
  screen: ViewedScreen,
): number {
  const size = labelSize(layout, grid, sidesMm(screen)) * share;
  const distance = screen.distanceMetres * MM_PER_METRE;
  // Small angles: half the angle means half the distance.
  return (viewingAngle(size, distance) / READABLE_ARC_MINUTES) * screen.distanceMetres;
}

/** The visible sides, in millimetres. */
export function sidesMm({ width, height, diagonalInches }: ViewedScreen) {
  const mmPerPixel = (diagonalInches * MM_PER_INCH) / Math.hypot(width, height);
  return { width: width * mmPerPixel, height: height * mmPerPixel };
}
