import type { Position } from "../../shared/protocol/position.ts";
import type { Database } from "../store/database.ts";
import { abandonEpoch, holdsPosition, readFeedStates, readSpan } from "../store/feed-log.ts";
import { inTime } from "../store/in-time.ts";
import type { FeedState, ReadSpan } from "../store/log-change.ts";

/** The change log as the relay reads it: its only source of data. */
export interface FeedLog {
  /** The heads of all feeds. */
  readFeedStates(): Promise<FeedState[]>;
  /**
   * Everything in (after, to] without a gap, at most `limit` changes, and fewer where they are large, but at least one;
   * `to` is `after` if there is nothing new. Null: there is no such feed.
   */
  readSpan(table: string, after: number, limit: number): Promise<ReadSpan | null>;
  /** Whether a position belongs to the current history: to the current epoch, or one that it continues. */
  holds(table: string, position: Position): Promise<boolean>;
  /** Begins another epoch, because the log no longer holds what was read of this one. */
  abandonEpoch(table: string, epoch: string): Promise<void>;
}

const READ_TIMEOUT_MS = 5_000;

/** A read returns no more, but at least one change: a bus leaves out what is much larger. */
const SPAN_MAX_BYTES = 3_500_000;

/**
 * The change log in the database. Its reads time out: on a silently dead connection a read would wait for minutes, and
 * its caller would neither retry nor report that it knows nothing.
 */
export function openFeedLog(database: Database): FeedLog {
  /** How many changes of each table are read at once. */
  const fitting = new Map<string, number>();
  return {
    readFeedStates: () => read(readFeedStates(database)),
    async readSpan(table, after, limit) {
      const count = Math.min(limit, fitting.get(table) ?? limit);
      const reading = read(readSpan(database, table, after, count, SPAN_MAX_BYTES));
      const span = await reading.catch((error: unknown) => {
        // Large changes may take longer than a read may: fewer do not.
        fitting.set(table, Math.ceil(count / 2));
        throw error;
      });
      const found = span?.changes.length ?? 0;
      const isCut = span !== null && found < count && span.to < span.head;
      fitting.set(table, isCut ? found + 1 : Math.max(2 * found, count));
      return span;
    },
    holds: (table, position) => read(holdsPosition(database, table, position)),
    abandonEpoch: (table, epoch) => read(abandonEpoch(database, table, epoch)),
  };
}

const read = <T>(reading: Promise<T>) =>
  inTime(reading, READ_TIMEOUT_MS, "the log does not answer");

/** How many changes are read or published in one piece. */
export const SPAN_MAX_CHANGES = 500;
