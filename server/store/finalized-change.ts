import type { LogSpan } from "./log-change.ts";

/** One change of a transaction, with the position that it got at commit. */
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
  /** The changes as the log holds them; null if there are too many to return at once. */
  span: LogSpan | null;
}

/** What a transaction has added to the log, known once it is committed. */
export interface Finalized {
  changes: FinalizedChange[];
  feeds: FinalizedFeed[];
  /** Whether all rows were written; not if a trigger of another program left some out. */
  isWhole: boolean;
}
