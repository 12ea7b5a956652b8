import type { Values } from "../../shared/model/model.ts";
import type { Author, Origin } from "../../shared/protocol/record.ts";

/**
 * One entry of a table's feed, complete and unprojected: it must never be sent to a client
 * (server/policy/project-change.ts projects it to a scope). It travels between servers as JSON.
 */
export interface LogChange {
  seq: number;
  kind: "insert" | "update" | "delete";
  record: string;
  /** An update: the previous values of changed fields. A delete: the whole previous record. An insert: null. */
  before: Values | null;
  /** The whole record afterwards; null for a delete. */
  after: Values | null;
  /** The record's number in the order of entry; null in a change that was logged before there were any. No value: it is sent to nobody. */
  entry: number | null;
  by: Author;
  /** ISO 8601, the time of the writing statement. */
  at: string;
  mutation?: string;
  origin?: Origin;
  changeSet?: string;
  transition?: string;
  reason?: string;
  /** Fields whose values were erased afterwards (ADR 41): they are null in both images. */
  erased?: string[];
}

/** A run of changes of one feed: everything in (from, to], without a gap, in commit order. */
export interface LogSpan {
  table: string;
  epoch: string;
  from: number;
  to: number;
  changes: LogChange[];
}

/** A span as it was read, perhaps a part of what was asked for: `head` is that of its feed at that moment. */
export interface ReadSpan extends LogSpan {
  head: number;
}

/** The state of a feed: `floor` is the oldest position from which it can still be replayed. */
export interface FeedState {
  table: string;
  epoch: string;
  head: number;
  floor: number;
}
