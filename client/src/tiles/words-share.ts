import type { ShownTile, TileFrame } from "../../../shared/protocol/frame.ts";
import { lightNeed } from "./faces/lights-face.tsx";
import { columnsFor, listShare, type Room } from "./tile-room.ts";

/** A row of bars: one line and the gap to the next. */
const BAR = { width: 0.1, height: 1.2 };

/**
 * How large the smallest words of a tile are beside its title, from 0 to 1: lists whose lines are all to
 * be there make them smaller. The same rules as in the style sheets of the faces.
 */
export function wordsShare(tile: ShownTile, frame: TileFrame | undefined, room: Room): number {
  const { rows = [], rest } = frame ?? {};
  if (rows.length === 0) return 1;
  if (tile.kind === "breakdown") return listShare(rows.length + (rest ? 1 : 0), 1, room, BAR);
  if (tile.kind !== "lights") return 1;
  const need = lightNeed(tile, rows);
  return listShare(rows.length, columnsFor(rows.length, room, need), room, need);
}
