import { explain } from "../../shared/error-texts/explain.ts";
import type { Json } from "../../shared/filter/filter.ts";
import { canHold } from "../../shared/model/can-hold.ts";
import { type Field, findField, type Table, type Values } from "../../shared/model/model.ts";
import { normalizeValue } from "../../shared/model/normalize-value.ts";
import { isReadOnly } from "../../shared/model/recorded.ts";
import { ruleProblems } from "../../shared/model/rule-problems.ts";
import { type FieldProblem, Refusal } from "../../shared/protocol/errors.ts";
import type { Mutation } from "./op.ts";

/** Rules that the model declares for a field: they apply to every write, also by undo and restore. */
const declaredRules = new Set(["minimum", "maximum", "pattern"]);

/**
 * Validates every value by its field's type and reports all problems at once. With `isRestore`, values that
 * the type's checks would refuse are restored unchanged, because other programs may have stored them.
 */
export function normalizeValues(table: Table, values: Values, isRestore = false): Values {
  const normal: Values = {};
  const problems: Record<string, FieldProblem> = {};
  for (const [name, value] of Object.entries(values)) {
    const field = findField(table, name) as Field;
    const normalized = normalizeValue(field, value);
    if (normalized.ok) normal[name] = normalized.value;
    else if (isRestore && isStorableAsIs(field, value, normalized.problem)) normal[name] = value;
    else problems[name] = normalized.problem;
  }
  if (Object.keys(problems).length) throw new Refusal("validation_failed", { fields: problems });
  return normal;
}

function isStorableAsIs(field: Field, value: Json, { rule }: FieldProblem): boolean {
  return !isReadOnly(field) && canHold(field, value) && !declaredRules.has(rule);
}

/** The required fields among these that are empty; null if there are none. */
export function requiredProblems(
  table: Table,
  values: Values,
  fields: readonly Field[],
): Record<string, FieldProblem> | null {
  const empty = fields.filter((field) => field.required && (values[field.name] ?? null) === null);
  if (empty.length === 0) return null;
  const problem = (field: Field) => ({
    rule: "required",
    ...explain("value.required", { field: field.label, table: table.label.toLowerCase() }),
  });
  return Object.fromEntries(empty.map((field) => [field.name, problem(field)]));
}

/** Values derived from others if the record would have none. */
export function derivedValues(table: Table, values: Values): Values {
  const derived: Values = {};
  for (const { name, derive } of table.fields) {
    if (!derive || (values[name] ?? null) !== null) continue;
    const key = derive.fields.map((field) => values[field]).join("|");
    const value = Object.hasOwn(derive.values, key) ? derive.values[key] : undefined;
    if (value !== undefined) derived[name] = value;
  }
  return derived;
}

/** Refuses a record that breaks a rule between its fields; `changed` null for a new record. */
export function requireRules(
  table: Table,
  record: string,
  values: Values,
  changed: readonly string[] | null,
  { subject }: Mutation,
): void {
  if (!table.rules?.length) return;
  const context = { me: subject, now: new Date().toISOString() };
  const fields = ruleProblems(table, record, values, changed, context);
  if (Object.keys(fields).length) throw new Refusal("validation_failed", { fields });
}
