import { createHash, timingSafeEqual } from "node:crypto";
import { type Request, Router } from "express";
import { englishOnly } from "../../shared/error-texts/explain.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { ShortLivedCache } from "../auth/short-lived-cache.ts";
import type { Config } from "../config/config.ts";
import { within } from "../store/in-time.ts";
import type { Metrics } from "./metrics.ts";

interface Operations {
  /** True once the server is stopping (server/http/stop-server.ts). */
  stopping: () => boolean;
  /**
   * The checks of readiness, by name: the store, which must accept a change. Not the bus: without it all servers continue by the log, and this check
   * would take them all out of service.
   */
  checks: Readonly<Record<string, () => Promise<boolean>>>;
  metrics: Metrics;
  config: Pick<Config, "metricsToken" | "publicUrl" | "trustProxy">;
}

const CHECK_TIMEOUT_MS = 2_000;
/** `/readyz` is public; the store is checked at most once a second. */
const CHECK_CACHE_MS = 1_000;

/**
 * `/healthz`: the process is alive. `/readyz`: it accepts requests, and edits go through. `/metrics`: for Prometheus, with a token
 * or from this machine.
 */
export function operationsRouter({ stopping, checks, metrics, config }: Operations): Router {
  const router = Router();
  const states = new ShortLivedCache<Record<string, boolean>>(CHECK_CACHE_MS);
  router.use(["/healthz", "/readyz", "/metrics"], (_request, response, next) => {
    response.set("Cache-Control", "no-store");
    next();
  });
  router.get("/healthz", (_request, response) => {
    response.json({ ok: true });
  });
  router.get("/readyz", async (_request, response) => {
    const state = await states.get("", () => runChecks(checks));
    const ready = !stopping() && Object.values(state).every(Boolean);
    response.status(ready ? 200 : 503).json({ ready, stopping: stopping(), checks: state });
  });
  router.get("/metrics", async (request, response) => {
    requireMetricsAccess(request, config);
    response.type(metrics.contentType).send(await metrics.text());
  });
  return router;
}

async function runChecks(checks: Operations["checks"]): Promise<Record<string, boolean>> {
  const all = Object.entries(checks);
  const results = await Promise.all(
    all.map(([, check]) => within(check(), CHECK_TIMEOUT_MS, false).catch(() => false)),
  );
  return Object.fromEntries(all.map(([name], at) => [name, results[at] === true]));
}

/**
 * Requires WATCHFLOOR_METRICS_TOKEN if it is set; otherwise admits only processes on this machine. Behind a proxy every
 * request comes from this machine or a neighbour, so there only the token counts.
 */
function requireMetricsAccess(
  { headers, socket }: Request,
  { metricsToken, publicUrl, trustProxy }: Operations["config"],
): void {
  const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  const isDirect = publicUrl === undefined && trustProxy === 0 && !headers["x-forwarded-for"];
  const isAllowed =
    metricsToken === undefined
      ? isDirect && /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? "")
      : given !== undefined && timingSafeEqual(digest(given), digest(metricsToken));
  if (isAllowed) return;
  const explanation = englishOnly(
    "Metrics need the token of WATCHFLOOR_METRICS_TOKEN as Authorization: Bearer.",
  );
  throw new Refusal("forbidden", { right: "metrics" }, explanation);
}

const digest = (text: string) => createHash("sha256").update(text).digest();
