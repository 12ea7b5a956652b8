import type { Layout } from "../../../shared/model/wallboard/tile-parts.ts";
import type { Grid } from "../../../shared/model/wallboard/wallboard.ts";
import { labelSize, tileSides } from "./label-size.ts";

/** How large a tile is, in sizes of its own words: what lists choose their columns by. */
export interface TileSize {
  width: number;
  height: number;
}

/** Of a screen only its way counts: nearly all are 16 to 9, and a column more or less is no harm. */
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

/** What title and edges of a tile take of its height. */
export const HEAD_EM = 2.36;
/** Between two columns of a list. */
const GAP_EM = 0.2;

/** What one line of a list takes, in sizes of its words. */
export interface LineNeed {
  width: number;
  height: number;
}

/** How large the words of a list are beside those of its tile: 1 unless there are too many, or too long ones. */
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

/** In how many columns the lines of a list are largest; the fewest of those that are equally good. */
export function columnsFor(lines: number, tileSize: TileSize, need: LineNeed): number {
  let best = 1;
  for (let columns = 2; columns <= lines; columns += 1) {
    const gain = listShare(lines, columns, tileSize, need) - listShare(lines, best, tileSize, need);
    if (gain > 0.01) best = columns;
  }
  return best;
}
