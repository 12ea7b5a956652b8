import { explain } from "../../shared/error-texts/explain.ts";
import type { Json } from "../../shared/filter/filter.ts";
import { kindOfType } from "../../shared/model/field-types.ts";
import { type Field, findField, type Table, type Values } from "../../shared/model/model.ts";
import { normalizeValue } from "../../shared/model/normalize-value.ts";
import { pickValues } from "../../shared/model/pick-values.ts";
import { sameValue } from "../../shared/model/same-value.ts";
import type { Scope } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { requireKnownFields, requireUpdate } from "../policy/authorize.ts";
import { requireUngoverned } from "./check-state.ts";
import {
  checkLinks,
  checkUnique,
  derivedValues,
  isEarlierValue,
  normalizeValues,
  requiredProblems,
  requireRules,
} from "./check-values.ts";
import {
  type EvaluatedOp,
  type EvaluationContext,
  noteOf,
  rowAfter,
} from "./evaluation-context.ts";
import type { Op } from "./op.ts";
import {
  conflictOf,
  findStoredRecord,
  requireSameRecord,
  requireVersion,
} from "./stored-record.ts";

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
  const set = normalizeValues(table, op.set, isEarlierValue(table, record, context));
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

/** The field values that an op writes: an update, or a transition that fills some. */
interface FieldEdit {
  record: string;
  base?: Values | undefined;
  ifMatch?: string | undefined;
  overwrite?: boolean | undefined;
  key?: string | undefined;
}

/** Every written field names what its author saw in it, unless the op overwrites. */
export function requireBase(op: FieldEdit, names: string[]): void {
  if (op.overwrite || op.ifMatch !== undefined) return;
  const missing = names.filter((name) => op.base?.[name] === undefined);
  if (missing.length) throw new Refusal("base_required", { fields: missing });
}

/**
 * The fields that somebody else has changed since: neither as the author saw them nor as wanted. The key of the record, if it
 * was found by one, is wanted as it was.
 */
export function clashes(
  op: FieldEdit,
  table: Table,
  scope: Scope,
  stored: Values,
  set: Values,
  context: EvaluationContext,
): string[] {
  if (op.overwrite) return [];
  if (op.ifMatch !== undefined) {
    return requireVersion(op.ifMatch, table, op.record, scope, context);
  }
  const key = op.key === undefined || op.key in set ? [] : [op.key];
  return [...Object.keys(set), ...key].filter((name) => {
    const field = findField(table, name) as Field;
    const storedValue = stored[name] ?? null;
    const same = (value: Json) => sameValue(kindOfType[field.type], storedValue, value);
    const isWanted = name in set && same(set[name] ?? null);
    const base = op.base?.[name] ?? null;
    // As it is stored, too: other programs store texts of another normal form.
    return !isWanted && !same(base) && !same(normalizedBase(field, base));
  });
}

/** A base is what a screen showed: it may be written in another form than the stored one. */
function normalizedBase(field: Field, base: Json): Json {
  const normalized = normalizeValue(field, base);
  return normalized.ok ? normalized.value : base;
}

/** What really changes, with the fields that are computed from it. */
export function changesOf(table: Table, stored: Values, set: Values): Values {
  const requested = { ...set, ...derivedValues(table, { ...stored, ...set }) };
  return Object.fromEntries(
    Object.entries(requested).filter(([name, value]) => {
      const { type } = findField(table, name) as Field;
      return !sameValue(kindOfType[type], stored[name] ?? null, value);
    }),
  );
}

/** Validates what changes by the fields' declarations; only links that the author `gave` are looked up. */
export function checkChange(
  table: Table,
  record: string,
  { changed, row, given }: { changed: Values; row: Values; given: Values },
  context: EvaluationContext,
): void {
  const fields = table.fields.filter((field) => field.name in changed);
  const fixed = fields.filter((field) => field.immutable);
  const problems = requiredProblems(table, row, fields) ?? {};
  for (const field of fixed) {
    problems[field.name] = {
      rule: "immutable",
      ...explain("value.immutable", { field: field.label }),
    };
  }
  if (Object.keys(problems).length) throw new Refusal("validation_failed", { fields: problems });
  requireRules(table, record, row, Object.keys(changed), context);
  checkLinks(
    table,
    pickValues(given, (name) => name in changed),
    context,
  );
  checkUnique(table, record, changed, context);
}
