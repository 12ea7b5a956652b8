import { isDeepStrictEqual } from "node:util";
import { explain } from "../../shared/error-texts/explain.ts";
import type { Json } from "../../shared/filter/filter.ts";
import { canHold } from "../../shared/model/can-hold.ts";
import { isFreeText } from "../../shared/model/field-types.ts";
import {
  type Field,
  findField,
  findTable,
  type Table,
  type Values,
  zoneOf,
} from "../../shared/model/model.ts";
import { normalizeValue } from "../../shared/model/normalize-value.ts";
import { isReadOnly } from "../../shared/model/recorded.ts";
import { ruleProblems } from "../../shared/model/rule-problems.ts";
import { type Scope, type Subject, scopeOf } from "../../shared/policy/scope.ts";
import { type FieldProblem, Refusal } from "../../shared/protocol/errors.ts";
import { canSee } from "../policy/authorize.ts";
import type { EvaluationContext } from "./evaluation-context.ts";
import type { Op } from "./op.ts";
import { keyedValue } from "./touched-records.ts";

/** Rules that the model declares for a field: they apply to every write, also by undo and restore. */
const declaredRules = new Set(["minimum", "maximum", "pattern"]);

/**
 * Validates every value by its field's type and reports all problems at once. Where the author brings back what the field has held
 * (`isEarlier`), a value that the type's checks would refuse or change is written unchanged: other programs may have stored it.
 */
export function normalizeValues(
  table: Table,
  values: Values,
  isEarlier: (field: Field, value: Json) => boolean = () => false,
): Values {
  const normal: Values = {};
  const problems: Record<string, FieldProblem> = {};
  for (const [name, value] of Object.entries(values)) {
    const field = findField(table, name) as Field;
    const normalized = normalizeValue(field, value);
    // An option that was replaced since is written as its replacement.
    const isOther = normalized.ok
      ? isFreeText(field.type) && normalized.value !== value
      : !declaredRules.has(normalized.problem.rule);
    if (isOther && isHeld(field, value) && isEarlier(field, value)) normal[name] = value;
    else if (normalized.ok) normal[name] = normalized.value;
    else problems[name] = normalized.problem;
  }
  if (Object.keys(problems).length) throw new Refusal("validation_failed", { fields: problems });
  return normal;
}

/** Whether an undo or a revert writes a value that the log of the record holds for the field. Read only where a value asks for it. */
export function isEarlierValue(
  table: Table,
  record: string,
  { history, mutation }: Pick<EvaluationContext, "history" | "mutation">,
): (field: Field, value: Json) => boolean {
  const bringsBack = mutation.origin === "undo" || mutation.origin === "revert";
  return ({ name }, value) =>
    bringsBack &&
    history.earlierValues(table.name, record, name).some((one) => isDeepStrictEqual(one, value));
}

/** Whether the column of a field that users write can store a value as it is. */
function isHeld(field: Field, value: Json): boolean {
  return value !== null && !isReadOnly(field) && canHold(field, value);
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
  { mutation, model, now }: EvaluationContext,
): void {
  if (!table.rules?.length) return;
  const moment = { me: mutation.subject, now, zone: zoneOf(model) };
  const fields = ruleProblems(table, record, values, changed, moment);
  if (Object.keys(fields).length) throw new Refusal("validation_failed", { fields });
}

/** Linked records and users must exist. A record that the author can't read counts as missing. */
export function checkLinks(
  table: Table,
  set: Values,
  { rows, model, mutation }: EvaluationContext,
): void {
  const broken: Record<string, FieldProblem> = {};
  for (const field of table.fields) {
    const value = set[field.name];
    if (typeof value !== "string" || (field.type !== "link" && field.type !== "person")) continue;
    const target = field.type === "link" ? findTable(model, field.target ?? "") : null;
    if (target !== undefined && isReadableTarget(target, value, mutation.subject, rows)) continue;
    broken[field.name] = pointsNowhere(field);
  }
  if (Object.keys(broken).length) throw new Refusal("link_broken", { fields: broken });
}

/** Whether a record exists for a user; `target` null: users exist for everybody. */
function isReadableTarget(
  target: Table | null,
  id: string,
  subject: Subject,
  rows: EvaluationContext["rows"],
): boolean {
  const found = rows.target(target?.name ?? "", id);
  if (!target || !found) return found !== null;
  const scope = scopeOf(subject, target);
  if (!scope?.filter) return scope !== null;
  return found.values !== null && canSee(scope, target, id, found.values);
}

/** Refuses a new record if another one that its author may read has the value by which it is identified. */
export function checkKey(
  op: Op & { op: "create" },
  table: Table,
  scope: Scope,
  { rows }: EvaluationContext,
): void {
  const keyed = keyedValue(table, op);
  if (!keyed) return;
  const { field, value } = keyed;
  const canRead = (id: string, values: Values) => canSee(scope, table, id, values);
  if (rows.isKeyTaken({ table, field, filter: scope.filter }, value, canRead)) {
    throw keyIsTaken(table, field);
  }
}

export function keyIsTaken(table: Table, field: Field): Refusal {
  const fields = { [field.name]: isTaken(table, field) };
  return new Refusal("duplicate", { table: table.name, fields });
}

/**
 * Checks unique fields early, so that one refusal does not cost the whole group its commit. An author learns that a value
 * is taken, which a unique field can't hide, but not by which record.
 */
export function checkUnique(
  table: Table,
  record: string,
  set: Values,
  { rows }: EvaluationContext,
): void {
  const taken: Record<string, FieldProblem> = {};
  for (const field of table.fields) {
    const value = field.unique ? (set[field.name] ?? null) : null;
    if (value === null) continue;
    const holder = rows.holderOf(table, field, value);
    if (holder === undefined || holder === record) continue;
    taken[field.name] = isTaken(table, field);
  }
  if (Object.keys(taken).length) {
    throw new Refusal("duplicate", { table: table.name, fields: taken });
  }
}

/** Another record has the value of a unique field. */
export function isTaken(table: Table, field: Field): FieldProblem {
  const labels = { record: table.recordLabel, field: field.label.toLowerCase() };
  return { rule: "unique", ...explain("value.taken", labels) };
}

export const idIsTaken: FieldProblem = { rule: "unique", ...explain("record.idTaken") };

/** The value of a link names no record that its author could read, or that of a user field no user. */
export function pointsNowhere({ type, label }: Field): FieldProblem {
  const text =
    type === "person" ? explain("value.noUser") : explain("value.noTarget", { field: label });
  return { rule: "link", ...text };
}
