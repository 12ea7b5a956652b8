import type { Limits } from "../../../shared/limits.ts";
import type { Model } from "../../../shared/model/model.ts";
import type { FrameMessage, WallboardPosition } from "../../../shared/protocol/frame.ts";
import type { Database } from "../../store/database.ts";
import type { WallboardCache } from "../wallboards/wallboard-cache.ts";
import type { Tail, TailEvent } from "./feed-cursor.ts";

/** What the tiles need of the rest of the server. */
export interface EvaluatorDeps {
  /** A small pool of its own: however much tiles query, edits don't wait for it. */
  database: Database;
  model: () => Model;
  tails: {
    find(table: string): Promise<Tail | undefined>;
    onEvent(listener: (event: TailEvent) => void): () => void;
  };
  wallboardCache: Pick<WallboardCache, "acknowledgement">;
  onFrame: (key: string, frame: FrameMessage) => void;
  /** The last frame of a wallboard is right for everything that was committed up to `asOf`. */
  onProven: (
    key: string,
    proof: { position: WallboardPosition; asOf: string; figures: string },
  ) => void;
  log: { warn(detail: object, text: string): void; error(detail: object, text: string): void };
  metrics: TileMetrics;
  limits: Limits;
}

/** Metrics of the tiles, which begin at zero. */
export const noTileMetrics = () => ({
  /** Queries sent to the database. */
  queries: 0,
  /** Results updated from changes that were compared with the database, and those that differed. */
  verified: 0,
  mismatches: 0,
  failures: 0,
  /** Rounds of evaluation, and their total time. */
  rounds: 0,
  seconds: 0,
  frames: 0,
  /** Now: distinct wallboards and queries that this server evaluates. */
  wallboards: 0,
  distinctQueries: 0,
});

export type TileMetrics = ReturnType<typeof noTileMetrics>;
