import type { Logger } from "pino";
import type { Limits } from "../shared/limits.ts";
import type { Broadcaster } from "../shared/protocol/peer.ts";
import type { CurrentModel } from "./model/current-model.ts";
import type { Bus } from "./relay/bus/bus.ts";
import type { FeedTails } from "./relay/feed-tails.ts";
import type { Database } from "./store/database.ts";
import { readFeedStates, readSpan } from "./store/feed-log.ts";
import { RelayLock } from "./store/relay-lock.ts";
import type { Boards } from "./tiles/boards/boards.ts";
import type { TileMetrics } from "./tiles/engine/evaluator-deps.ts";
import { BoardPlans, type BoardPlansDeps } from "./tiles/live/board-plans.ts";
import { BoardSubscriptions } from "./tiles/live/board-subscriptions.ts";
import { LiveBoards } from "./tiles/live/live-boards.ts";

export interface TilesDeps {
  database: Database;
  boards: Boards;
  model: CurrentModel;
  identify: BoardPlansDeps["identify"];
  tails: FeedTails;
  bus: Bus;
  broadcaster: Broadcaster;
  metrics: TileMetrics;
  limits: Limits;
  log: Logger;
}

/** However much tiles query, edits and pages don't wait for it. */
const POOL_CONNECTIONS = 6;

export interface Tiles {
  boardSubscriptions: BoardSubscriptions;
  /** User names may have changed. */
  refreshUserNames(): void;
  stop(): Promise<void>;
}

/** Builds the tile service and connects it. */
export function startTiles(deps: TilesDeps): Tiles {
  const { boards, identify, tails, bus, broadcaster, metrics, limits, log } = deps;
  const model = deps.model.get;
  const own = deps.database.separatePool(POOL_CONNECTIONS, {
    timeoutMs: limits.TILE_QUERY_TIMEOUT_MS,
  });
  const lock = new RelayLock(deps.database, "tiles");
  const boardPlans = new BoardPlans({ boards, model, refreshModel: deps.model.refresh, identify });
  const liveBoards = new LiveBoards({
    database: own,
    derivePlan: (remote) => boardPlans.derive(remote),
    isCurrent: (plan) => boardPlans.isCurrent(plan),
    model,
    tails,
    readSpan: (table, after, limit) => readSpan(own, table, after, limit),
    readFeedStates: () => readFeedStates(own),
    acknowledgement: (...row) => boards.acknowledgement(...row),
    bus,
    lock,
    sender: broadcaster,
    metrics,
    limits,
    log,
  });
  const boardSubscriptions = new BoardSubscriptions({
    boards,
    plans: boardPlans,
    source: liveBoards,
    limits,
  });
  liveBoards.start();
  return {
    boardSubscriptions,
    refreshUserNames: () => liveBoards.refresh({ users: true }),
    async stop() {
      boardSubscriptions.stop();
      await liveBoards.stop();
      await lock.close();
      await own.close();
    },
  };
}
