import type { Response } from "express";
import { errorCatalogue, type Refusal } from "../../shared/protocol/errors.ts";

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
  response.send(JSON.stringify({ ...detail, type, title, status, detail: message, code, message }));
}
