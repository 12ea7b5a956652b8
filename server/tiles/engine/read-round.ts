import type { Db } from "../../store/database.ts";
import type { FeedState } from "../../store/log-change.ts";
import { holdTable, onSnapshot } from "../../store/tiles/figures.ts";
import type { AskedQuestion } from "./asked-question.ts";
import type { EvaluatorDeps } from "./evaluator-deps.ts";
import { type Reading, readQuestion } from "./read-question.ts";

export interface RoundReading {
  readings: Map<AskedQuestion, Reading>;
  /** Where the snapshot shows the feeds. */
  heads: FeedState[];
}

/**
 * Reads questions in one snapshot of the database. One that fails (too slow, or the model has moved)
 * is told by `onFailure`, left out, and the others are read again. Throws where the store is away.
 */
export async function readRound(
  { database, metrics }: Pick<EvaluatorDeps, "database" | "metrics">,
  due: readonly AskedQuestion[],
  now: number,
  timeoutMs: number,
  onFailure: (asked: AskedQuestion, error: unknown) => void,
): Promise<RoundReading> {
  for (let left = [...due]; ; ) {
    const at: { asked: AskedQuestion | null } = { asked: null };
    const read = left.filter(({ question }) => question.kind !== "recent");
    const first = new Map(read.map((asked) => [asked.table.name, asked]));
    const hold = async (db: Db) => {
      for (const asked of first.values()) {
        at.asked = asked;
        await holdTable(db, asked.table);
      }
      at.asked = null;
    };
    try {
      return await onSnapshot(database, timeoutMs, hold, async (db, heads) => {
        const readings = new Map<AskedQuestion, Reading>();
        for (const asked of read) {
          at.asked = asked;
          metrics.queries += 1;
          readings.set(asked, await readQuestion(db, asked.question, asked.table, now));
        }
        at.asked = null;
        return { readings, heads };
      });
    } catch (error) {
      const { asked } = at;
      if (!asked) throw error;
      onFailure(asked, error);
      left = left.filter((one) => one !== asked);
    }
  }
}
