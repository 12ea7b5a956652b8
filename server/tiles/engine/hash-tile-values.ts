import { createHash } from "node:crypto";
import type { FrameMessage } from "../../../shared/protocol/frame.ts";

/** What tells the figures of one frame from those of another, wherever they were put together. */
export function hashTileValues(tiles: FrameMessage["tiles"]): string {
  return createHash("sha1").update(JSON.stringify(tiles)).digest("base64");
}
