import { type Field, findField, type Table, type Values } from "../../shared/model/model.ts";
import { normalizeValue } from "../../shared/model/normalize-value.ts";
import { ruleProblems } from "../../shared/model/rule-problems.ts";
import { type FieldProblem, Refusal } from "../../shared/protocol/errors.ts";
import type { Mutation } from "./op.ts";

/** Judges every value by its field's type; all that is wrong is told at once. */
export function normalizeValues(table: Table, values: Values): Values {
  const normal: Values = {};
  const problems: Record<string, FieldProblem> = {};
  for (const [name, value] of Object.entries(values)) {
    const judged = normalizeValue(findField(table, name) as Field, value);
    if (judged.ok) normal[name] = judged.value;
    else problems[name] = judged.problem;
  }
  if (Object.keys(problems).length) throw new Refusal("validation_failed", { fields: problems });
  return normal;
}

/** The required fields among these that are empty; null where all is well. */
export function requiredProblems(
  table: Table,
  values: Values,
  fields: readonly Field[],
): Record<string, FieldProblem> | null {
  const empty = fields.filter((field) => field.required && (values[field.name] ?? null) === null);
  if (empty.length === 0) return null;
  const problem = (field: Field) => ({
    rule: "required",
    message: `${field.label} of ${table.label.toLowerCase()} must not be empty.`,
  });
  return Object.fromEntries(empty.map((field) => [field.name, problem(field)]));
}

/** Values worked out from others where the record would have none. */
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

/** Refuses a record that breaks a rule between its fields; `changed` null where all of it is new. */
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
