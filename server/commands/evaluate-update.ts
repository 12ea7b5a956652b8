import type { Table } from "../../shared/model/model.ts";
import type { Scope } from "../../shared/policy/scope.ts";
import { requireKnownFields, requireUpdate } from "../policy/authorize.ts";
import { requireUngoverned } from "./check-state.ts";
import { normalizeValues } from "./check-values.ts";
import { conflictOf } from "./conflict.ts";
import {
  type EvaluatedOp,
  type EvaluationContext,
  noteOf,
  rowAfter,
} from "./evaluation-context.ts";
import { changesOf, checkChange, clashes, requireBase } from "./field-edit.ts";
import { findStoredRecord } from "./find-stored-record.ts";
import type { Op } from "./op.ts";
import { requireSameRecord } from "./same-record.ts";

/**
 * Evaluates an edit field by field, under the row lock: stored = the base that the author saw → write; stored
 * = the new value → nothing to do; else a conflict, and nothing of the op is applied. So edits of different
 * fields by two users are both applied, and nobody overwrites what they did not see.
 */
export function evaluateUpdate(
  op: Op & { op: "update" },
  table: Table,
  scope: Scope,
  context: EvaluationContext,
): EvaluatedOp {
  const names = Object.keys(op.set);
  requireKnownFields(scope, names);
  requireKnownFields(scope, Object.keys(op.base ?? {}));
  requireBase(op, names);
  const { record } = op;
  const stored = findStoredRecord(table, record, scope, context);
  // Rights first: an author without the right to write learns nothing from validation or conflicts.
  requireUpdate(context.mutation.subject, table, record, { before: stored, after: stored }, names);
  requireSameRecord(op, table, scope, context);
  const set = normalizeValues(table, op.set);
  requireUngoverned(table, { record, stored, set }, scope, context);
  const clashing = clashes(op, table, scope, stored, set, context);
  if (clashing.length) throw conflictOf(op, table, stored, clashing, context);
  const changed = changesOf(table, stored, set);
  if (Object.keys(changed).length === 0) return { table, record, write: null };
  const row = rowAfter(table, record, { ...stored, ...changed }, context);
  requireUpdate(context.mutation.subject, table, record, { before: stored, after: row }, names);
  checkChange(table, record, { changed, row, given: changed }, context);
  const note = noteOf(context);
  return { table, record, write: { kind: "update", table, record, set: changed, row, note } };
}
