import type { Position } from "../../shared/protocol/position.ts";
import type { Database } from "../store/database.ts";
import { abandonEpoch, holdsPosition, readFeedStates, readSpan } from "../store/feed-log.ts";
import type { FeedState, LogSpan } from "../store/log-change.ts";

/** The change log as the relay reads it: its only source of data. */
export interface FeedLog {
  /** The heads of all feeds. */
  readFeedStates(): Promise<FeedState[]>;
  /**
   * Everything in (after, to] without a gap, at most `limit` changes; `to` is `after` if there is nothing
   * new. Null: there is no such feed.
   */
  readSpan(table: string, after: number, limit: number): Promise<LogSpan | null>;
  /** Whether a position belongs to the current history: to the current epoch, or one that it continues. */
  holds(table: string, position: Position): Promise<boolean>;
  /** Begins another epoch, because the log no longer holds what was read of this one. */
  abandonEpoch(table: string, epoch: string): Promise<void>;
}

const READ_TIMEOUT_MS = 5_000;

/**
 * The change log in the database. Its reads time out: on a silently dead connection a read would wait for minutes, and
 * its caller would neither retry nor report that it knows nothing.
 */
export function openFeedLog(database: Database): FeedLog {
  return {
    readFeedStates: () => inTime(readFeedStates(database)),
    readSpan: (table, after, limit) => inTime(readSpan(database, table, after, limit)),
    holds: (table, position) => inTime(holdsPosition(database, table, position)),
    abandonEpoch: (table, epoch) => inTime(abandonEpoch(database, table, epoch)),
  };
}

function inTime<T>(reading: Promise<T>): Promise<T> {
  const { promise, reject, resolve } = Promise.withResolvers<T>();
  const late = setTimeout(() => reject(new Error("the log does not answer")), READ_TIMEOUT_MS);
  reading.then(resolve, reject).finally(() => clearTimeout(late));
  return promise;
}

/** How many changes are read or published in one piece. */
export const SPAN_MAX_CHANGES = 500;
