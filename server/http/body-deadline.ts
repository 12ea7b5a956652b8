import type { IncomingMessage, Server } from "node:http";

/**
 * Time limits for request bodies. Every request has a short one; routes that have authenticated the caller
 * extend it by `allowBodyTime`. A late request is ended with its connection, also if it was answered already. So is one whose body
 * comes in very small pieces: each costs as much as a thousand bytes.
 */

/** Time for an imported file, once its user is authorised to write: the longest that any request may take. */
export const IMPORT_TIMEOUT_MS = 1_800_000;

/** So many pieces of a body may be of any size; from then on they must have so many bytes on the average. */
const FREE_PIECES = 256;
const PIECE_MIN_BYTES = 16;

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** Gives every request `timeoutMs`. Call it when all other listeners of the server are in place. */
export function limitBodyTime(server: Server, timeoutMs: number): void {
  server.prependListener("request", (request: IncomingMessage) => {
    const { "content-length": length, "transfer-encoding": encoding } = request.headers;
    if (Number(length ?? 0) > 0 || encoding !== undefined) allowBodyTime(request, timeoutMs);
    if (encoding !== undefined) boundPieces(request);
  });
}

/** Counts what arrives, also while nobody reads it. */
function boundPieces(request: IncomingMessage): void {
  let [pieces, bytes] = [0, 0];
  const push = request.push.bind(request);
  request.push = (piece: Buffer | null) => {
    pieces += 1;
    bytes += piece?.length ?? 0;
    if (pieces <= FREE_PIECES || bytes >= pieces * PIECE_MIN_BYTES) return push(piece);
    request.socket.destroy();
    return false;
  };
}

/** Gives a request this much time from now on; null while the server itself does not receive its body yet. */
export function allowBodyTime(request: IncomingMessage, timeoutMs: number | null): void {
  const known = deadlines.get(request);
  clearTimeout(known);
  if (request.complete || request.destroyed || timeoutMs === null) return;
  const deadline = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, timeoutMs);
  if (!known) request.once("close", () => clearTimeout(deadlines.get(request)));
  deadlines.set(request, deadline);
}
