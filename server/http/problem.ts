import type { Response } from "express";
import { errorCatalogue, type Refusal } from "../../shared/protocol/errors.ts";

/**
 * Answers by RFC 9457: `code` and its detail are at the top level beside type, title, status and detail.
 * `message` repeats `detail` so that a client reads REST and socket errors by one function.
 */

interface Problem {
  [detail: string]: unknown;
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  message: string;
}

function toProblem(refusal: Refusal): Problem {
  const { code, detail, message, status } = refusal;
  return {
    ...detail,
    type: `urn:watchfloor:problem:${code}`,
    title: errorCatalogue[code].message,
    status,
    detail: message,
    code,
    message,
  };
}

export function sendProblem(response: Response, refusal: Refusal): void {
  const { retryAfter } = refusal.detail;
  if (typeof retryAfter === "number") response.set("Retry-After", String(Math.ceil(retryAfter)));
  if (refusal.status === 401) response.set("WWW-Authenticate", "Bearer");
  response.status(refusal.status).type("application/problem+json");
  response.send(JSON.stringify(toProblem(refusal)));
}
