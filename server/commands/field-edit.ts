import { explain } from "../../shared/error-texts/explain.ts";
import type { Json } from "../../shared/filter/filter.ts";
import {
  type Field,
  findField,
  kindOfType,
  type Table,
  type Values,
} from "../../shared/model/model.ts";
import { normalizeValue } from "../../shared/model/normalize-value.ts";
import { pickValues } from "../../shared/model/pick-values.ts";
import { sameValue } from "../../shared/model/same-value.ts";
import type { Scope } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { checkLinks, checkUnique } from "./check-references.ts";
import { derivedValues, requiredProblems, requireRules } from "./check-values.ts";
import { requireVersion } from "./conflict.ts";
import type { EvaluationContext } from "./evaluation-context.ts";

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
  requireRules(table, record, row, Object.keys(changed), context.mutation);
  checkLinks(
    table,
    pickValues(given, (name) => name in changed),
    context,
  );
  checkUnique(table, record, changed, context);
}
