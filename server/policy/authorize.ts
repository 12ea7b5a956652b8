import { explain } from "../../shared/error-texts/explain.ts";
import type { Filter } from "../../shared/filter/filter.ts";
import { matches } from "../../shared/filter/matches.ts";
import {
  fieldKinds,
  findTable,
  type Model,
  type Table,
  type Values,
} from "../../shared/model/model.ts";
import type { Transition } from "../../shared/model/workflow.ts";
import { mayRun, type TransitionAuthor } from "../../shared/policy/possible-transitions.ts";
import { grantOn } from "../../shared/policy/role.ts";
import { bindRights, type Scope, type Subject, scopeOf } from "../../shared/policy/scope.ts";
import { found, Refusal } from "../../shared/protocol/errors.ts";
import { compileRows } from "./compiled-scope.ts";
import { excerpt } from "./parse-input.ts";

/**
 * Authorisation checks for one record. Each throws an error that is safe to return: an unreadable record is
 * `not_found`, the same as a missing one.
 */

/** The user's scope on a table; a table that the role may not read does not exist for it. */
export function requireScope(subject: Subject, table: Table | undefined): Scope {
  return found(table && scopeOf(subject, table));
}

/** A table with the user's scope on it. */
export interface ReadableTable {
  table: Table;
  scope: Scope;
}

/** The table of that name. */
export function readableTable(subject: Subject, model: Model, name: string): ReadableTable {
  const table = found(findTable(model, name));
  return { table, scope: requireScope(subject, table) };
}

/** The table of that name, whose changes the user may read. */
export function readableHistory(subject: Subject, model: Model, name: string): ReadableTable {
  const readable = readableTable(subject, model, name);
  const { table } = readable;
  if (!grantOn(subject.role, table).history) throw missingRight("history", table);
  return readable;
}

/** Every table that the user may read. */
export function readableTables(subject: Subject, model: Model): ReadableTable[] {
  return model.tables.flatMap((table) => {
    const scope = scopeOf(subject, table);
    return scope ? [{ table, scope }] : [];
  });
}

/** Whether a record is in a scope. */
export function canSee(scope: Scope, table: Table, id: string, values: Values): boolean {
  return !scope.filter || compileRows(scope.filter, table)(id, values);
}

/** Unknown and hidden fields are answered alike. */
export function requireKnownFields(scope: Scope, names: readonly string[]): void {
  const unknown = names
    .filter((name) => !scope.fields.includes(name))
    .slice(0, UNKNOWN_FIELDS_LISTED)
    .map((name) => excerpt(name));
  if (unknown.length)
    throw new Refusal(
      "invalid_request",
      { fields: unknown },
      explain("record.unknownFields", { fields: unknown.map((name) => `"${name}"`) }),
    );
}

const UNKNOWN_FIELDS_LISTED = 20;

export function requireCreate(subject: Subject, table: Table): void {
  if (!grantOn(subject.role, table).create) throw missingRight("create", table);
}

/**
 * Applies the row filter to the record before and after the change, so that an update cannot move a record
 * out of its author's write scope.
 */
export function requireUpdate(
  subject: Subject,
  table: Table,
  id: string,
  images: { before: Values; after: Values },
  names: readonly string[],
): void {
  const grant = grantOn(subject.role, table).update;
  if (!grant) throw missingRight("update", table);
  if (grant === true) return;
  const locked = grant.fields ? names.filter((name) => !grant.fields?.includes(name)) : [];
  if (locked.length) throw missingRight("update", table, { fields: locked });
  requireRows(subject, table, "update", grant.filter, id, [images.before, images.after]);
}

/** Whether role and grant let this user run a transition; the record's own conditions are checked elsewhere. */
export function requireTransition(
  table: Table,
  author: TransitionAuthor,
  transition: Transition,
): void {
  if (mayRun(transition, author)) return;
  const labels = { transition: transition.label, table: table.label.toLowerCase() };
  const detail = { right: "transition", table: table.name, transition: transition.name };
  throw new Refusal("forbidden", detail, explain("record.transitionRight", labels));
}

export function requireDelete(subject: Subject, table: Table, id: string, before: Values): void {
  const grant = grantOn(subject.role, table).delete;
  if (!grant) throw missingRight("delete", table);
  if (grant !== true) requireRows(subject, table, "delete", grant.filter, id, [before]);
}

export function requireExport(subject: Subject, table: Table): void {
  if (!grantOn(subject.role, table).export) throw missingRight("export", table);
}

function requireRows(
  subject: Subject,
  table: Table,
  right: "update" | "delete",
  filter: Filter | undefined,
  id: string,
  images: Values[],
): void {
  const bound = filter && bindRights(filter, subject);
  if (!bound) return;
  const kinds = fieldKinds(table);
  if (!images.every((values) => matches(bound, id, values, kinds)))
    throw missingRight(right, table);
}

/** The refusal that names the right that is missing. */
export function missingRight(
  right: "create" | "update" | "delete" | "history" | "export" | "comment",
  table: Table,
  detail: Record<string, unknown> = {},
): Refusal {
  const explanation = explain(`right.${right}`, { table: table.label.toLowerCase() });
  return new Refusal("forbidden", { right, table: table.name, ...detail }, explanation);
}
