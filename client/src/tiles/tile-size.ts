import type { Layout } from "../../../shared/model/wallboard/tile-parts.ts";
import type { Grid } from "../../../shared/model/wallboard/wallboard.ts";
import { labelSize, tileSides } from "./label-size.ts";

/** The size of a tile in units of its font size, by which lists choose their columns. */
export interface TileSize {
  width: number;
  height: number;
}

/** Only the orientation matters: nearly all screens are 16:9. */
const screenSizes = { landscape: { width: 16, height: 9 }, portrait: { width: 9, height: 16 } };

export function tileSizeOf(
  layout: Layout,
  grid: Grid,
  orientation: keyof typeof screenSizes,
): TileSize {
  const screen = screenSizes[orientation];
  const textSize = labelSize(layout, grid, screen);
  const { width, height } = tileSides(layout, grid, screen);
  return { width: width / textSize, height: height / textSize };
}

/** The height of a tile's title and edges. */
export const HEAD_EM = 2.36;
/** The height of the edges alone. */
export const PAD_EM = 1;
/** The gap between two columns of a list. */
const GAP_EM = 0.2;

/** The size of one line of a list, in units of its font size. */
export interface LineNeed {
  width: number;
  height: number;
}

/** The font size of a list relative to its tile: 1 unless there are too many or too long lines. */
export function listShare(
  lines: number,
  columns: number,
  tileSize: TileSize,
  need: LineNeed,
): number {
  const wide = (tileSize.width - 1 - GAP_EM * (columns - 1)) / columns / need.width;
  const high = (tileSize.height - HEAD_EM) / (Math.ceil(lines / columns) * need.height);
  return Math.min(1, wide, high);
}

/** The number of columns with the largest lines; the smallest of equally good ones. */
export function columnsFor(lines: number, tileSize: TileSize, need: LineNeed): number {
  let best = 1;
  for (let columns = 2; columns <= lines; columns += 1) {
    const gain = listShare(lines, columns, tileSize, need) - listShare(lines, best, tileSize, need);
    if (gain > 0.01) best = columns;
  }
  return best;
}
