import { Router } from "express";
import type { Metrics } from "./metrics.ts";

export interface Operations {
  /** True once the server is told to stop (server/http/stop-server.ts). */
  stopping: () => boolean;
  /**
   * What must answer before requests are sent here, by name: the store. Not the bus: without it every server
   * goes on by the log, and would be taken out of service together with all the others.
   */
  checks: Readonly<Record<string, () => Promise<boolean>>>;
  metrics: Metrics;
}

const CHECK_TIMEOUT_MS = 2_000;

/** `/healthz`: the process lives. `/readyz`: send it requests. `/metrics`: for Prometheus. */
export function operationsRouter({ stopping, checks, metrics }: Operations): Router {
  const router = Router();
  router.use(["/healthz", "/readyz", "/metrics"], (_request, response, next) => {
    response.set("Cache-Control", "no-store");
    next();
  });
  router.get("/healthz", (_request, response) => {
    response.json({ ok: true });
  });
  router.get("/readyz", async (_request, response) => {
    const names = Object.keys(checks);
    const results = await Promise.all(names.map((name) => inTime(checks[name])));
    const state = Object.fromEntries(names.map((name, at) => [name, results[at]]));
    const ready = !stopping() && results.every(Boolean);
    response.status(ready ? 200 : 503).json({ ready, stopping: stopping(), checks: state });
  });
  router.get("/metrics", async (_request, response) => {
    response.type(metrics.contentType).send(await metrics.text());
  });
  return router;
}

async function inTime(check: (() => Promise<boolean>) | undefined): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, CHECK_TIMEOUT_MS, false);
  check?.().then(resolve, () => resolve(false));
  return promise.finally(() => clearTimeout(timer));
}
