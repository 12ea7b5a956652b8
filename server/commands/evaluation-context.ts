import { withComputedValues } from "../../shared/model/expression/compute-values.ts";
import type { Model, Table, Values } from "../../shared/model/model.ts";
import { type Stamp, stamped } from "../../shared/model/recorded.ts";
import type { Author } from "../../shared/protocol/record.ts";
import type { Note, RowWrite } from "../store/write-statements.ts";
import type { ChangeHistory } from "./change-history.ts";
import type { Mutation } from "./op.ts";
import type { WorkingSet } from "./working-set.ts";

/** Everything that an evaluation may use: the rows were locked and loaded before. */
export interface EvaluationContext {
  model: Model;
  mutation: Mutation;
  rows: WorkingSet;
  history: ChangeHistory;
  /** The instant of the commit: one for everything that is evaluated together. */
  now: string;
}

/** The instant of the commit, in the precision of stored values. */
export function instant(): string {
  return new Date().toISOString();
}

/** An evaluated op: the write to make, or none if the record already holds all values. */
export interface EvaluatedOp {
  table: Table;
  record: string;
  write: RowWrite | null;
  /** Who has made the change that was asked for, if somebody else has. */
  by?: Author;
}

/** What the log records of an op's write besides its values. */
export function noteOf({ mutation: { actor, id, origin, changeSet } }: EvaluationContext): Note {
  const note = { actor, mutation: id, origin };
  return changeSet === undefined ? note : { ...note, changeSet };
}

/** The author as the database records it: users by their ids, all others as null. */
export function stampOf({ mutation: { actor, subject }, now }: EvaluationContext): Stamp {
  return { at: now, by: actor.startsWith("user:") ? subject.id : null };
}

/** The record after an edit, with what the database fills by itself. */
export function rowAfter(
  table: Table,
  record: string,
  values: Values,
  context: EvaluationContext,
): Values {
  return withComputedValues(table, record, stamped(table, values, stampOf(context), false));
}
