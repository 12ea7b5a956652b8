import type { ShownTile, TileFrame } from "../../../shared/protocol/frame.ts";
import { columnsFor, listShare, type TileSize } from "./tile-size.ts";
import { lightNeed } from "./views/lights-tile-view.tsx";

/** A row of bars: one line and the gap to the next. */
const BAR = { width: 0.1, height: 1.2 };

/**
 * How large the smallest words of a tile are beside its title, from 0 to 1: lists whose lines are all to
 * be there make them smaller. The same rules as in the style sheets of the faces.
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
