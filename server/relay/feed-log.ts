import type { Position } from "../../shared/protocol/position.ts";
import type { FeedState, LogSpan } from "../store/log-change.ts";

/** The change log as the outward half reads it: the only source of truth that it knows. */
export interface FeedLog {
  /** Where every feed stands. */
  readFeedStates(): Promise<FeedState[]>;
  /**
   * Everything in (after, to] without hole, at most `limit` changes; `to` is `after` where there is
   * nothing new. Null: there is no such feed.
   */
  readSpan(table: string, after: number, limit: number): Promise<LogSpan | null>;
  /** Whether a position is one of the present history: of the present epoch, or of one that it continues. */
  holds(table: string, position: Position): Promise<boolean>;
  /** Begins another epoch, because the log no longer holds what was read of this one. */
  abandonEpoch(table: string, epoch: string): Promise<void>;
}

const READ_TIMEOUT_MS = 5_000;

/**
 * A log whose reads end: on a line that is dead without a sound a read would wait for minutes, and
 * whoever waits for it would neither ask again nor say that it knows nothing.
 */
export function readingInTime(log: FeedLog): FeedLog {
  return {
    readFeedStates: () => inTime(log.readFeedStates()),
    readSpan: (table, after, limit) => inTime(log.readSpan(table, after, limit)),
    holds: (table, position) => inTime(log.holds(table, position)),
    abandonEpoch: (table, epoch) => inTime(log.abandonEpoch(table, epoch)),
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
