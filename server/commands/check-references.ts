import { type Field, findTable, type Table, type Values } from "../../shared/model/model.ts";
import { type Scope, type Subject, scopeOf } from "../../shared/policy/scope.ts";
import { type FieldProblem, Refusal } from "../../shared/protocol/errors.ts";
import { canSee } from "../policy/authorize.ts";
import { isTaken, pointsNowhere } from "./constraint-problem.ts";
import type { EvaluationContext } from "./evaluation-context.ts";
import { keyedValue } from "./load-request.ts";
import type { Op } from "./op.ts";

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
