import type { FrameMessage } from "./frame.ts";

/**
 * Whether a frame is of an earlier position of the same history; an equal one may still be more complete. Clocks don't
 * count: they may be set back.
 */
export function isBehind(
  one: Pick<FrameMessage, "position">,
  other: Pick<FrameMessage, "position">,
): boolean {
  return Object.entries(one.position).some(([table, { epoch, seq }]) => {
    const known = other.position[table];
    return known !== undefined && known.epoch === epoch && seq < known.seq;
  });
}
