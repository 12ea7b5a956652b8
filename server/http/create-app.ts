import compression from "compression";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import { Refusal } from "../../shared/protocol/errors.ts";
import { networkOf } from "../auth/network-of.ts";
import { reportTo } from "../policy/internal-error.ts";
import { toRefusal } from "../policy/to-refusal.ts";
import { allHandlers } from "./all-handlers.ts";
import type { AppDeps } from "./app-deps.ts";
import { createRouter } from "./create-router.ts";
import { docsRouter } from "./docs/docs-page.ts";
import { createMetrics } from "./metrics.ts";
import { operationsRouter } from "./operations.ts";
import { sendProblem } from "./problem.ts";
import { providerPages } from "./provider-pages.ts";
import { requestLog } from "./request-log.ts";
import { securityHeaders } from "./security-headers.ts";
import { staticClient } from "./static-client.ts";

/** About as much as one of these documents. */
const DOCUMENT_BYTES = 262_144;

/**
 * The HTTP half as an Express application: operations, the API with its problem details, the built client. It
 * opens and holds nothing; start-server.ts puts it on a server and shares that server with the socket. Every
 * failure is answered by an entry of the catalogue.
 */
export function createApp(deps: AppDeps): Express {
  const { config, log } = deps;
  const metrics = createMetrics(deps.gauges ?? {});
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("trust proxy", config.trustProxy);
  app.use(requestLog(log, metrics.observe));
  app.use(securityHeaders(config));
  app.use(operationsRouter({ ...deps, metrics }));
  app.post("/unsubscribe/:token", toUnsubscribeCall);
  app.use("/api", neverStored, compression());
  app.use("/api", docsRouter(deps.version, limitStrangers(deps)));
  app.use("/api/v1", createRouter(allHandlers(deps), deps));
  app.use("/api", () => {
    throw new Refusal("not_found");
  });
  app.use("/sign-in", providerPages(deps, limitStrangers(deps)));
  app.use(staticClient(deps.clientDir));
  app.use(() => {
    throw new Refusal("not_found");
  });
  app.use(answerFailure(deps));
  return app;
}

/** Limits what an address asks for without signing in, outside of the contract. */
function limitStrangers({ rates, answers, config: { limits } }: AppDeps) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const owner = `address ${networkOf(request.ip ?? "")}`;
    rates.take(owner, limits.REQUESTS_PER_ADDRESS);
    answers.requireCapacity(owner);
    answers.count(owner, response, DOCUMENT_BYTES, true);
    next();
  };
}

/** The address in a mail is that of a page; mail programs post to it themselves (RFC 8058). */
function toUnsubscribeCall(request: Request, _response: Response, next: NextFunction): void {
  request.url = `/api/v1${request.path}`;
  next();
}

function neverStored(_request: Request, response: Response, next: NextFunction): void {
  response.set("Cache-Control", "no-store");
  next();
}

/** Express recognises an error handler by its four parameters. */
function answerFailure({ log, errors }: AppDeps) {
  return (error: unknown, _request: Request, response: Response, _next: NextFunction): void => {
    const { id } = response.locals;
    const refusal = toRefusal(error, reportTo(log, "request"), id);
    errors?.note(refusal.code);
    if (refusal.code === "unavailable")
      log.warn({ err: error, request: id }, "store is unavailable");
    if (response.headersSent) response.destroy();
    else sendProblem(response, refusal);
  };
}
