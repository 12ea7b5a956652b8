import { randomUUID } from "node:crypto";
import type { NextFunction, Request, Response } from "express";
import type { Logger } from "pino";

/**
 * Gives each request an id (`X-Request-Id`) and a log line when it is answered. Paths are logged without
 * their query, and the token of a one-time link is left out: a log must contain no credential. Files of the
 * client are logged at level debug: a page loads dozens of them.
 */
export function requestLog(
  log: Logger,
  observe: (seconds: number, labels: { method: string; route: string; status: number }) => void,
) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const started = process.hrtime.bigint();
    const { locals } = response;
    locals.id = randomUUID();
    response.set("X-Request-Id", locals.id);
    const path = request.path.replace(oneTimeLink, "$1…");
    const { method } = request;
    response.once("close", () => {
      const ms = Number(process.hrtime.bigint() - started) / 1e6;
      const isAnswered = response.writableFinished || locals.isAnswered;
      const status = isAnswered ? response.statusCode : 499;
      observe(ms / 1_000, { method, route: locals.route ?? "other", status });
      const user = locals.identity?.subject.id;
      const line = { request: locals.id, method, path, status, ms: Math.round(ms), user };
      if (!unloggedPaths.has(path))
        log[locals.isAsset && status < 400 ? "debug" : "info"](line, "request");
    });
    next();
  };
}

const oneTimeLink = /(\/(?:invitations|password-resets|sign-in|display\/open)\/)[^/]+/i;

/** Polled every few seconds by machines. */
const unloggedPaths = new Set(["/healthz", "/readyz", "/metrics"]);
