import type { LogSpan } from "./log-change.ts";

/** One change of a transaction, with the place in its feed that it got at commit. */
export interface FinalizedChange {
  table: string;
  record: string;
  mutation: string | null;
  actor: string;
  seq: number;
}

/** What a transaction has added to one feed. */
export interface FinalizedFeed {
  table: string;
  /** The same as the log holds it; null where that is too much to be told at once. */
  span: LogSpan | null;
}

/** What a transaction has added to the log, known once it is committed. */
export interface Finalized {
  changes: FinalizedChange[];
  feeds: FinalizedFeed[];
}
