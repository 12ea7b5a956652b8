import { isDeepStrictEqual } from "node:util";
import { explain } from "../../shared/error-texts/explain.ts";
import type { Table, Values } from "../../shared/model/model.ts";
import { recordsChanges } from "../../shared/model/recorded.ts";
import { grantOn } from "../../shared/policy/role.ts";
import { type Scope, scopeOf } from "../../shared/policy/scope.ts";
import { type FieldConflict, Refusal } from "../../shared/protocol/errors.ts";
import { type Position, parseVersion } from "../../shared/protocol/position.ts";
import { canSee } from "../policy/authorize.ts";
import type { ChangeHistory, Creation, HistoricalChange } from "./change-history.ts";
import type { EvaluationContext } from "./evaluation-context.ts";

/**
 * The record of an op, as it is stored, beside the one that its author saw: it may be gone, be another one under the same id, or
 * have been changed meanwhile. What a refusal says of that is what the author may see, and an unreadable record is answered like a
 * missing one, as late as one.
 */

/**
 * The stored record. A deleted one is named to users who could read it; an unreadable one is answered exactly
 * like a missing one.
 */
export function findStoredRecord(
  table: Table,
  record: string,
  scope: Scope,
  { rows, history, mutation }: EvaluationContext,
): Values {
  const values = rows.record(table, record);
  if (values && canSee(scope, table, record, values)) return values;
  // read for a hidden record too, or else it would be answered sooner than a missing one
  const deletion = history.deletion(table.name, record);
  if (values || !deletion || !canSee(scope, table, record, deletion.before))
    throw new Refusal("not_found");
  throw recordDeleted(table, record, deletion, mutation);
}

/** Names the deletion of a record to a user who could read it. */
export function recordDeleted(
  table: Table,
  record: string,
  { by, at }: HistoricalChange,
  { subject }: EvaluationContext["mutation"],
): Refusal {
  const restorable = Boolean(grantOn(subject.role, table).create);
  return new Refusal("record_deleted", { table: table.name, record, by, at, restorable });
}

/**
 * Whether a record is still the one that somebody saw. An id is not enough: after a deletion, a record may be created anew under
 * it, by any program. A restored record is the same: it holds what it held when it was deleted, by which the log distinguishes the
 * two. Fields that the author can't see are not compared, or else the answer would reveal what they held. A record that was
 * deleted and created anew within the very commit that evaluates the op, or more than 1,000 changes ago, counts as the same.
 */

/** Refuses an op on a record that was created anew since the version that the op names. */
export function requireSameRecord(
  { record, version }: { record: string; version?: string | undefined },
  table: Table,
  scope: Scope,
  { history }: Pick<EvaluationContext, "history">,
): void {
  if (version === undefined) return;
  // The last one: its record is the one that exists, or was restored since.
  const replacement = returnsSince(version, table, record, history).findLast(
    (creation) => !isRestored(creation, table, scope),
  );
  if (replacement) throw recordReplaced(table, record, replacement);
}

/** Who last brought a record back since the deletion of that version. Refuses a record that was created anew. */
export function restorerSince(
  version: string,
  table: Table,
  record: string,
  scope: Scope,
  context: Pick<EvaluationContext, "history">,
) {
  requireSameRecord({ record, version }, table, scope, context);
  return returnsSince(version, table, record, context.history).at(-1)?.by;
}

/** Numbers go on when an epoch ends. One beyond the head belongs to a lost history: nothing came after it. */
function returnsSince(version: string, table: Table, record: string, history: ChangeHistory) {
  return history.creationsSince(table.name, record, positionOf(version).seq);
}

/** Whether a creation brought back what was deleted. Fields that came or went with the model since don't count. */
function isRestored({ after, deleted }: Creation, table: Table, scope: Scope): boolean {
  if (!deleted) return false;
  const isSame = (name: string) => isDeepStrictEqual(valueIn(after, name), valueIn(deleted, name));
  const fields = table.fields.filter(
    (field) => scope.fields.includes(field.name) && !field.expression && !recordsChanges(field),
  );
  return fields.every(({ name }) => !(name in after && name in deleted) || isSame(name));
}

const valueIn = (values: Values, name: string) => values[name] ?? null;

/** The record that the author saw is gone, and can't be restored while another one has its id. */
function recordReplaced(table: Table, record: string, { by, at }: Creation): Refusal {
  const detail = { table: table.name, record, by, at, restorable: false, replaced: true };
  return new Refusal("record_deleted", detail, explain("record.replaced"));
}

/**
 * The fields that changed after a version of the whole record, among those that its author may read: only
 * they make a version stale. Throws `conflict` if the version belongs to another history.
 */
export function requireVersion(
  version: string,
  table: Table,
  record: string,
  scope: Scope,
  { rows, history }: EvaluationContext,
): string[] {
  const position = positionOf(version);
  const feed = rows.feed(table.name);
  const names = rows.changedFields(table, record);
  const isPresentHead = position.epoch === feed.epoch && position.seq === feed.head;
  if (!isPresentHead) {
    const changes = history.changedSince(table.name, record, position);
    // A version that was never assigned, or belongs to a lost history, says nothing about what its author
    // saw.
    if (!changes) return [...scope.fields];
    for (const change of changes) names.push(...Object.keys(change.before));
  }
  return [...new Set(names)].filter((name) => scope.fields.includes(name));
}

/** The position that a version names. */
export function positionOf(version: string): Position {
  const position = parseVersion(version.replace(/^(?:W\/)?"(.*)"$/, "$1"));
  if (position) return position;
  throw new Refusal("invalid_request", { at: "version" }, explain("record.version"));
}

/** What the author of an op saw of a record, and the values they want. */
export interface Attempt {
  record: string;
  base?: Values | undefined;
  set?: Values | undefined;
  key?: string | undefined;
}

/**
 * The refusal with the three values of each conflicting field, and the other author. If rows are filtered,
 * the log may hold a value from when the record was not visible: then the base is returned only as the author
 * sent it.
 */
export function conflictOf(
  op: Attempt,
  table: Table,
  stored: Values,
  names: string[],
  { rows, history, mutation }: EvaluationContext,
): Refusal {
  const seesAll = scopeOf(mutation.subject, table)?.filter === null;
  const logged = history.lastChanges(table.name, op.record, names);
  const fields: Record<string, FieldConflict> = {};
  for (const name of names) {
    const change = rows.lastChange(table, op.record, name) ?? logged.get(name);
    fields[name] = {
      base: op.base?.[name] ?? (seesAll ? change?.before[name] : null) ?? null,
      mine: (name === op.key ? op.base : op.set)?.[name] ?? null,
      theirs: stored[name] ?? null,
      by: change?.by ?? null,
      at: change?.at ?? null,
    };
  }
  return new Refusal("conflict", { table: table.name, record: op.record, fields });
}
