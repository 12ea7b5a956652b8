import { explain } from "../../shared/error-texts/explain.ts";
import type { Table, Values } from "../../shared/model/model.ts";
import { type Scope, scopeOf } from "../../shared/policy/scope.ts";
import { type FieldConflict, Refusal } from "../../shared/protocol/errors.ts";
import { type Position, parseVersion } from "../../shared/protocol/position.ts";
import type { EvaluationContext } from "./evaluation-context.ts";

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
