import type { Db } from "../../store/database.ts";
import type { FeedState } from "../../store/log-change.ts";
import { lockTable, onSnapshot } from "../../store/tiles/read-groups.ts";
import type { EvaluatorDeps } from "./evaluator-deps.ts";
import type { LiveQuery } from "./live-query.ts";
import { type Reading, readTileQuery } from "./read-tile-query.ts";

interface RoundReading {
  readings: Map<LiveQuery, Reading>;
  /** The heads of the feeds in the snapshot. */
  heads: FeedState[];
}

/**
 * Reads queries in one snapshot of the database. One that fails (too slow, or the model has changed) is
 * reported by `onFailure`, left out, and the others are read again. Throws if the store is unavailable.
 */
export async function readRound(
  { database, metrics }: Pick<EvaluatorDeps, "database" | "metrics">,
  due: readonly LiveQuery[],
  now: number,
  timeoutMs: number,
  onFailure: (live: LiveQuery, error: unknown) => void,
): Promise<RoundReading> {
  for (let left = [...due]; ; ) {
    const at: { live: LiveQuery | null } = { live: null };
    const read = left.filter(({ query }) => query.kind !== "recent");
    const first = new Map(read.map((live) => [live.table.name, live]));
    const lockTables = async (db: Db) => {
      for (const live of first.values()) {
        at.live = live;
        await lockTable(db, live.table);
      }
      at.live = null;
    };
    try {
      return await onSnapshot(database, timeoutMs, lockTables, async (db, heads) => {
        const readings = new Map<LiveQuery, Reading>();
        for (const live of read) {
          at.live = live;
          metrics.queries += 1;
          readings.set(live, await readTileQuery(db, live, now));
        }
        at.live = null;
        return { readings, heads };
      });
    } catch (error) {
      const { live } = at;
      if (!live) throw error;
      onFailure(live, error);
      left = left.filter((one) => one !== live);
    }
  }
}
