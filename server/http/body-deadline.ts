import type { IncomingMessage, Server, ServerResponse } from "node:http";

/**
 * Time limits for request bodies. Every request has a short one; routes that have authenticated the caller
 * extend it by `allowBodyTime`. A late request is ended with its connection, also if it was answered already. So is one whose body
 * comes in very small pieces: each costs as much as a thousand bytes.
 */

/** Time for each part of an imported file to arrive: a large one takes as long as it is read, and a trickle ends. */
export const IMPORT_TIMEOUT_MS = 1_800_000;
const FILE_PART_BYTES = 1_048_576;

/** So many pieces of a body may be of any size; from then on they must have so many bytes on the average. */
const FREE_PIECES = 256;
const PIECE_MIN_BYTES = 16;

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();
const imports = new WeakSet<IncomingMessage>();

/** Gives every request `timeoutMs`. Call it when all other listeners of the server are in place. */
export function limitBodyTime(server: Server, timeoutMs: number): void {
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    const { "content-length": length, "transfer-encoding": encoding } = request.headers;
    if (Number(length ?? 0) > 0 || encoding !== undefined) allowBodyTime(request, timeoutMs);
    if (encoding !== undefined) boundPieces(request, response);
  });
  // Node answers an expectation that it doesn't know by itself and waits for the body, which no time bounds.
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(417, { connection: "close" }).end();
  });
}

/**
 * Counts what arrives, also while nobody reads it. Programs send a line of a file in a piece, which may be short: the file of an authorised
 * import is not bounded, since a user imports few at once, and until its user is known no more of it is read from the connection.
 */
function boundPieces(request: IncomingMessage, response: ServerResponse): void {
  const isFile = request.headers["content-type"]?.startsWith("text/csv") === true;
  let [pieces, bytes] = [0, 0];
  const push = request.push.bind(request);
  request.push = (piece: Buffer | null) => {
    if (imports.has(request)) return push(piece);
    pieces += 1;
    bytes += piece?.length ?? 0;
    if (pieces <= FREE_PIECES || bytes >= pieces * PIECE_MIN_BYTES) return push(piece);
    if (isFile && !response.headersSent) {
      push(piece);
      return false;
    }
    request.socket.destroy();
    return false;
  };
}

/**
 * The file of an authorised import: it may come in pieces of any size, and takes as long as the server needs, which reads no faster than it
 * checks the rows. Each part of it has `timeoutMs` from the one before.
 */
export function allowImportedFile(request: IncomingMessage, timeoutMs: number): void {
  imports.add(request);
  allowBodyTime(request, timeoutMs);
  const push = request.push.bind(request);
  let bytes = 0;
  request.push = (piece: Buffer | null) => {
    bytes += piece?.length ?? 0;
    if (bytes >= FILE_PART_BYTES) {
      bytes = 0;
      allowBodyTime(request, timeoutMs);
    }
    return push(piece);
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
