import type { Logger } from "pino";
import type { Broadcaster } from "../shared/protocol/peer.ts";
import type { Bus } from "./relay/bus/bus.ts";
import type { FeedTails } from "./relay/feed-tails.ts";
import { AdvisoryLock } from "./store/advisory-lock.ts";
import type { Context } from "./store/published-model.ts";
import type { Boards } from "./tiles/boards/boards.ts";
import type { TileMetrics } from "./tiles/engine/evaluator-deps.ts";
import { BoardPlans, type IdentifyReader } from "./tiles/live/board-plans.ts";
import { BoardSubscriptions } from "./tiles/live/board-subscriptions.ts";
import { LiveBoards } from "./tiles/live/live-boards.ts";

/** However much tiles query, edits and pages don't wait for it. */
const POOL_CONNECTIONS = 6;

/** Builds the tile service and connects it. */
export function startTiles({
  database,
  model,
  limits,
  boards,
  identify,
  tails,
  bus,
  broadcaster,
  metrics,
  log,
}: Context & {
  boards: Boards;
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
  const plans = new BoardPlans(boards, model, identify);
  const liveBoards = new LiveBoards({
    ...{ database: own, plans, model, tails, boards, bus, lock, metrics, limits, log },
    sender: broadcaster,
  });
  const boardSubscriptions = new BoardSubscriptions(boards, plans, liveBoards, limits);
  liveBoards.start();
  return {
    boardSubscriptions,
    /** User names may have changed. */
    refreshUserNames: () => liveBoards.refresh({ users: true }),
    async stop() {
      boardSubscriptions.stop();
      await liveBoards.stop();
      await lock.close();
      await own.close();
    },
  };
}
