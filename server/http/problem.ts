import type { Request, Response } from "express";
import { errorCatalogue, type Refusal } from "../../shared/protocol/errors.ts";

/** A smaller body has mostly arrived with its headers. */
const DROPPED_BODY_BYTES = 65_536;
const LINGER_MS = 500;

/**
 * Answers by RFC 9457: `code` and its detail are at the top level beside type, title, status and detail.
 * `message` repeats `detail` so that a client reads REST and socket errors by one function.
 */

export function sendProblem(response: Response, refusal: Refusal): void {
  const { code, detail, message, status } = refusal;
  const { retryAfter } = detail;
  if (typeof retryAfter === "number") response.set("Retry-After", String(Math.ceil(retryAfter)));
  if (status === 401) response.set("WWW-Authenticate", "Bearer");
  response.status(status).type("application/problem+json");
  const type = `urn:watchfloor:problem:${code}`;
  const { message: title } = errorCatalogue[code];
  const body = { ...detail, type, title, status, detail: message, code, message };
  if (hasLargeUnreadBody(response.req)) sendBeforeBody(response, JSON.stringify(body));
  else response.send(JSON.stringify(body));
}

/** Whether a refused request has a body that nobody has begun to read, and that is worth more than its connection. */
function hasLargeUnreadBody({ complete, readableFlowing, headers }: Request): boolean {
  if (complete || readableFlowing !== null) return false;
  const { "content-length": length = 0, "transfer-encoding": encoding } = headers;
  return encoding !== undefined || Number(length) > DROPPED_BODY_BYTES;
}

/**
 * Answers a request without reading its body, which Node would receive to the end to use the connection again. The
 * connection is closed a moment later: at once, its reset could arrive before the answer.
 */
function sendBeforeBody(response: Response, text: string): void {
  response.set({ Connection: "close", "Content-Length": String(Buffer.byteLength(text)) });
  response.write(text);
  response.locals.isAnswered = true;
  const close = setTimeout(() => response.end(), LINGER_MS).unref();
  response.once("close", () => clearTimeout(close));
}
