import type { Values } from "../../shared/model/model.ts";
import type { Position } from "../../shared/protocol/position.ts";
import type { Author } from "../../shared/protocol/record.ts";

/** One entry of a record's past, as far as an answer may speak of it. */
export interface HistoricalChange {
  before: Values;
  by: Author;
  at: string;
}

/** What the change log says of one record; asked only by those few answers that depend on it. */
export interface ChangeHistory {
  /** The changes after a position, oldest first; null where the log does not reach back, or it is of another history. */
  changedSince(table: string, record: string, after: Position): HistoricalChange[] | null;
  /** The deletion that ended a record, if it ever was. */
  deletion(table: string, record: string): HistoricalChange | null;
  /** The last change of each of these fields, where there was one. */
  lastChanges(table: string, record: string, fields: string[]): Map<string, HistoricalChange>;
}
