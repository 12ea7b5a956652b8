import type { Table, Values } from "../../shared/model/model.ts";
import { grantOn } from "../../shared/policy/role.ts";
import type { Scope } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { canSee } from "../policy/authorize.ts";
import type { EvaluationContext } from "./evaluation-context.ts";

/**
 * The record as it stands. One that was deleted is told to those who could read it; one that may not
 * be read is answered exactly like one that never was.
 */
export function findStoredRecord(
  table: Table,
  record: string,
  scope: Scope,
  { rows, history, mutation }: EvaluationContext,
): Values {
  const values = rows.record(table, record);
  if (values && canSee(scope, table, record, values)) return values;
  // asked for a hidden record too, or else it would be answered sooner than one that never was
  const deletion = history.deletion(table.name, record);
  if (values || !deletion || !canSee(scope, table, record, deletion.before))
    throw new Refusal("not_found");
  throw new Refusal("record_deleted", {
    table: table.name,
    record,
    by: deletion.by,
    at: deletion.at,
    restorable: Boolean(grantOn(mutation.subject.role, table).create),
  });
}
