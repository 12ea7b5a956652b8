import type { Logger } from "pino";
import type { Broadcaster } from "../shared/protocol/peer.ts";
import type { Bus } from "./relay/bus/bus.ts";
import type { FeedTails } from "./relay/feed-tails.ts";
import { AdvisoryLock } from "./store/advisory-lock.ts";
import type { Context } from "./store/published-model.ts";
import type { TileMetrics } from "./tiles/engine/evaluator-deps.ts";
import { LiveWallboards } from "./tiles/live/live-wallboards.ts";
import { type IdentifyReader, WallboardPlans } from "./tiles/live/wallboard-plans.ts";
import { WallboardSubscriptions } from "./tiles/live/wallboard-subscriptions.ts";
import type { WallboardCache } from "./tiles/wallboards/wallboard-cache.ts";

/** However much tiles query, edits and pages don't wait for it. */
const POOL_CONNECTIONS = 6;

/** Builds the tile service and connects it. */
export function startTiles({
  database,
  model,
  limits,
  wallboardCache,
  identify,
  tails,
  bus,
  broadcaster,
  metrics,
  log,
}: Context & {
  wallboardCache: WallboardCache;
  identify: IdentifyReader;
  tails: FeedTails;
  bus: Bus;
  broadcaster: Broadcaster;
  metrics: TileMetrics;
  log: Logger;
}) {
  const timeoutMs = limits.TILE_QUERY_TIMEOUT_MS;
  const own = database.separatePool(POOL_CONNECTIONS, { timeoutMs });
  const lock = new AdvisoryLock(database, "tiles");
  const plans = new WallboardPlans(wallboardCache, model, identify);
  const liveWallboards = new LiveWallboards({
    ...{ database: own, plans, model, tails, wallboardCache, bus, lock, metrics, limits, log },
    sender: broadcaster,
  });
  const wallboardSubscriptions = new WallboardSubscriptions(
    wallboardCache,
    plans,
    liveWallboards,
    limits,
  );
  liveWallboards.start();
  return {
    wallboardSubscriptions,
    /** User names may have changed. */
    refreshUserNames: () => liveWallboards.refresh({ users: true }),
    async stop() {
      wallboardSubscriptions.stop();
      await liveWallboards.stop();
      await lock.close();
      await own.close();
    },
  };
}
