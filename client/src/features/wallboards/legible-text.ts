import type { Layout } from "../../../../shared/model/wallboard/tile-parts.ts";
import type { Grid } from "../../../../shared/model/wallboard/wallboard.ts";
import { labelSize, READABLE_ARC_MINUTES, viewingAngle } from "../../tiles/label-size.ts";

const MM_PER_INCH = 25.4;
const MM_PER_METRE = 1_000;

/** A screen on a wall and how far away its readers are. */
export interface ViewedScreen {
  /** The picture, in pixels: only its shape matters. */
  width: number;
  height: number;
  /** Visible diagonal, as it is sold. */
  diagonalInches: number;
  /** From the eye to the screen. */
  distanceMetres: number;
}

/** A tile whose words are too small, and from how near they would be read. */
export interface Unreadable {
  id: string;
  metres: number;
}

/** A tile where it stands, and the least share of the usual size that its words have (text-scale.ts). */
interface PlacedTile {
  id: string;
  layout: Layout;
  share?: number;
}

/**
 * The tiles whose words are seen under less than 16 minutes of arc by a capital's height from where
 * people stand (ISO 9241-303 names 16 as the least, 20 to 22 as preferred).
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

/** From how far the words of a tile can be read, in metres. */
export function readableFromMetres(
  { layout, share = 1 }: Omit<PlacedTile, "id">,
  grid: Grid,
  screen: ViewedScreen,
): number {
  const size = labelSize(layout, grid, sidesMm(screen)) * share;
  const distance = screen.distanceMetres * MM_PER_METRE;
  // Small angles: what is seen under half the angle is read from half as far.
  return (viewingAngle(size, distance) / READABLE_ARC_MINUTES) * screen.distanceMetres;
}

/** The visible sides, in millimetres. */
export function sidesMm({ width, height, diagonalInches }: ViewedScreen) {
  const mmPerPixel = (diagonalInches * MM_PER_INCH) / Math.hypot(width, height);
  return { width: width * mmPerPixel, height: height * mmPerPixel };
}
