import type { IncomingMessage, Server } from "node:http";

/**
 * Time limits for request bodies. Every request has a short one; routes that have authenticated the caller
 * extend it by `allowBodyTime`. A late request is ended with its connection, also if it was answered already.
 */

/** Time for an imported file, once its user is authorised to write: the longest that any request may take. */
export const IMPORT_TIMEOUT_MS = 1_800_000;

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** Gives every request `timeoutMs`. Call it when all other listeners of the server are in place. */
export function limitBodyTime(server: Server, timeoutMs: number): void {
  server.prependListener("request", (request: IncomingMessage) => {
    const { "content-length": length, "transfer-encoding": encoding } = request.headers;
    if (Number(length ?? 0) > 0 || encoding !== undefined) allowBodyTime(request, timeoutMs);
  });
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
