import type { Table } from "../../shared/model/model.ts";
import type { Scope } from "../../shared/policy/scope.ts";
import { requireKnownFields, requireUpdate } from "../policy/authorize.ts";
import { requireUngoverned } from "./check-state.ts";
import { normalizeValues } from "./check-values.ts";
import { conflictOf } from "./conflict.ts";
import { changesOf, checkChange, clashes, requireBase } from "./field-edit.ts";
import { findStanding } from "./find-standing.ts";
import { type Judged, type Judging, rowAfter } from "./judging.ts";
import type { Op } from "./op.ts";

/**
 * Judges an edit field by field, under the row lock: stored = the base that the editor saw → write;
 * stored = the new value → nothing to do; else a conflict, and nothing of the op is applied. So two
 * people on different fields both win, and nobody overwrites what they did not see.
 */
export function judgeUpdate(
  op: Op & { op: "update" },
  table: Table,
  scope: Scope,
  judging: Judging,
): Judged {
  const names = Object.keys(op.set);
  requireKnownFields(scope, names);
  requireKnownFields(scope, Object.keys(op.base ?? {}));
  requireBase(op, names);
  const { record } = op;
  const standing = findStanding(table, record, scope, judging);
  // Rights first: whoever may not write learns nothing from validation or conflicts.
  requireUpdate(
    judging.mutation.subject,
    table,
    record,
    { before: standing, after: standing },
    names,
  );
  const set = normalizeValues(table, op.set);
  requireUngoverned(table, { record, standing, set }, scope, judging);
  const clashing = clashes(op, table, scope, standing, set, judging);
  if (clashing.length) throw conflictOf(op, table, standing, clashing, judging);
  const changed = changesOf(table, standing, set);
  if (Object.keys(changed).length === 0) return { table, record, write: null };
  const row = rowAfter(table, record, { ...standing, ...changed }, judging);
  requireUpdate(judging.mutation.subject, table, record, { before: standing, after: row }, names);
  checkChange(table, record, { changed, row, given: changed }, judging);
  const note = { actor: judging.mutation.actor, mutation: judging.mutation.id };
  return { table, record, write: { kind: "update", table, record, set: changed, row, note } };
}
