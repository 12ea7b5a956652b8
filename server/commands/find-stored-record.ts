import type { Table, Values } from "../../shared/model/model.ts";
import { grantOn } from "../../shared/policy/role.ts";
import type { Scope } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { canSee } from "../policy/authorize.ts";
import type { HistoricalChange } from "./change-history.ts";
import type { EvaluationContext } from "./evaluation-context.ts";

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
