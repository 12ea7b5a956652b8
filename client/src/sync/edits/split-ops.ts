import type { ClientLimits } from "../../../../shared/limits.ts";
import type { WireOp } from "../../../../shared/protocol/mutate.ts";

/** The rest of what the server takes in one message is for escapes and wide letters. */
const CHARS_PER_BYTE = 1 / 2;

/** Cuts many ops into mutations that the server's limits on number and size allow. */
export function splitOps(
  ops: readonly WireOp[],
  limits: Pick<ClientLimits, "MUTATION_MAX_OPS" | "REQUEST_BODY_MAX_BYTES">,
): WireOp[][] {
  const maxChars = limits.REQUEST_BODY_MAX_BYTES * CHARS_PER_BYTE;
  const chunks: WireOp[][] = [];
  let chunk: WireOp[] = [];
  let chars = 0;
  for (const op of ops) {
    const more = JSON.stringify(op).length + 1;
    const isFull = chunk.length >= limits.MUTATION_MAX_OPS || chars + more > maxChars;
    if (isFull && chunk.length > 0) {
      chunks.push(chunk);
      chunk = [];
      chars = 0;
    }
    chunk.push(op);
    chars += more;
  }
  return chunk.length > 0 ? [...chunks, chunk] : chunks;
}
