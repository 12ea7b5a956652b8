import type { ShownTile, TileFrame } from "../../../shared/protocol/frame.ts";
import { columnsFor, listShare, type TileSize } from "./tile-size.ts";
import { lightNeed } from "./views/lights-tile-view.tsx";

/** A bar: one line and the gap to the next. */
const BAR = { width: 0.1, height: 1.2 };

/**
 * The font size of a tile's smallest text relative to its title, from 0 to 1: lists shrink their text to show all lines.
 * The same rules as in the style sheets of the views.
 */
export function textScale(
  tile: ShownTile,
  frame: TileFrame | undefined,
  tileSize: TileSize,
): number {
  const { rows = [], rest } = frame ?? {};
  if (rows.length === 0) return 1;
  if (tile.kind === "breakdown") return listShare(rows.length + (rest ? 1 : 0), 1, tileSize, BAR);
  if (tile.kind !== "lights") return 1;
  const need = lightNeed(tile, rows);
  return listShare(rows.length, columnsFor(rows.length, tileSize, need), tileSize, need);
}
