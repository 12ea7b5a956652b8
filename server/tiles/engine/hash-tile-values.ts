import { createHash } from "node:crypto";
import type { FrameMessage } from "../../../shared/protocol/frame.ts";

/** Identifies the values of a frame, wherever it was composed. */
export function hashTileValues(tiles: FrameMessage["tiles"]): string {
  return createHash("sha1").update(JSON.stringify(tiles)).digest("base64");
}
