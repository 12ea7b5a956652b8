import { defaultLimits } from "../../../../shared/limits.ts";
import type { WireOp } from "../../../../shared/protocol/mutate.ts";

/** Half of what the server takes in one message: the other half is for escapes and wide letters. */
const CHUNK_MAX_CHARS = defaultLimits.REQUEST_BODY_MAX_BYTES / 2;

/** Cuts many ops into mutations that the server's limits on number and size allow. */
export function splitOps(ops: readonly WireOp[]): WireOp[][] {
  const chunks: WireOp[][] = [];
  let chunk: WireOp[] = [];
  let chars = 0;
  for (const op of ops) {
    const more = JSON.stringify(op).length + 1;
    const isFull = chunk.length >= defaultLimits.MUTATION_MAX_OPS || chars + more > CHUNK_MAX_CHARS;
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
