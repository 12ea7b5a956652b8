import type { Values } from "../../shared/model/model.ts";
import type { Position } from "../../shared/protocol/position.ts";
import type { Author } from "../../shared/protocol/record.ts";

/** One earlier change of a record, as far as an answer may name it. */
export interface HistoricalChange {
  before: Values;
  by: Author;
  at: string;
}

/** The deletion of a record, and its position. */
export interface Deletion extends HistoricalChange {
  seq: number;
}

/** A change that created a record, or brought it back. */
export interface Creation extends HistoricalChange {
  after: Values;
  /** What was deleted before; null if nothing was, or the log does not hold it. */
  deleted: Values | null;
}

/** The change log of one record; read only for the few answers that depend on it. */
export interface ChangeHistory {
  /**
   * The changes after a position, oldest first; null if the log does not reach back, or it belongs to another
   * history.
   */
  changedSince(table: string, record: string, after: Position): HistoricalChange[] | null;
  /** The deletion of a record, if there was one. */
  deletion(table: string, record: string): Deletion | null;
  /** The creations of a record after a position, oldest first. Epochs continue one another's numbers. */
  creationsSince(table: string, record: string, seq: number): Creation[];
  /** The fields of which a value was ever erased. */
  erasedFields(table: string, record: string): readonly string[];
  /** The last change of each of these fields, if there was one. */
  lastChanges(table: string, record: string, fields: string[]): Map<string, HistoricalChange>;
}
