import type { Logger } from "pino";
import type { Limits } from "../shared/limits.ts";
import type { CurrentModel } from "./model/current-model.ts";
import type { Bus } from "./relay/bus/bus.ts";
import type { FeedTails } from "./relay/feed-tails.ts";
import type { Broadcaster } from "./relay/peer.ts";
import type { Database } from "./store/database.ts";
import { readFeedStates, readSpan } from "./store/feed-log.ts";
import { RelayLock } from "./store/relay-lock.ts";
import type { Boards } from "./tiles/boards/boards.ts";
import type { TileMetrics } from "./tiles/engine/evaluator-deps.ts";
import { Plans, type PlansDeps } from "./tiles/screens/plans.ts";
import { SceneSource } from "./tiles/screens/scene-source.ts";
import { Screens } from "./tiles/screens/screens.ts";

export interface TilesDeps {
  database: Database;
  boards: Boards;
  model: CurrentModel;
  identify: PlansDeps["identify"];
  tails: FeedTails;
  bus: Bus;
  broadcaster: Broadcaster;
  metrics: TileMetrics;
  limits: Limits;
  log: Logger;
}

/** However much tiles ask, edits and pages don't wait for it. */
const POOL_CONNECTIONS = 6;

export interface Tiles {
  screens: Screens;
  /** Names of people may be other ones. */
  refreshPeople(): void;
  stop(): Promise<void>;
}

/** Builds the room of the tiles and connects it. */
export function startTiles(deps: TilesDeps): Tiles {
  const { boards, identify, tails, bus, broadcaster, metrics, limits, log } = deps;
  const model = deps.model.get;
  const own = deps.database.beside(POOL_CONNECTIONS, { timeoutMs: limits.TILE_QUERY_TIMEOUT_MS });
  const lock = new RelayLock(deps.database, "tiles");
  const plans = new Plans({ boards, model, refreshModel: deps.model.refresh, identify });
  const source = new SceneSource({
    database: own,
    derivePlan: (want) => plans.derive(want),
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
  const screens = new Screens({ boards, plans, source, limits });
  source.start();
  return {
    screens,
    refreshPeople: () => source.refresh({ people: true }),
    async stop() {
      screens.stop();
      await source.stop();
      await lock.close();
      await own.close();
    },
  };
}
