import { findField, type Table } from "../../shared/model/model.ts";
import type { Scope } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { canSee } from "../policy/authorize.ts";
import type { Deletion } from "./change-history.ts";
import { positionOf } from "./conflict.ts";
import { evaluateCreate } from "./evaluate-create.ts";
import type { EvaluatedOp, EvaluationContext } from "./evaluation-context.ts";
import { recordDeleted } from "./find-stored-record.ts";
import type { Op } from "./op.ts";
import { restorerSince } from "./same-record.ts";

/**
 * Restores a deleted record as it was, by the checks for new ones: complete, also with fields that the author
 * may not see. The author neither writes nor learns them. One that was restored and deleted again since the author saw it
 * is refused: they have not seen what it held then, nor that somebody wants it deleted. So is one that was created anew under
 * the id: it is another record. One that exists is left unchanged, and the answer says who has restored it.
 */
export function evaluateRestore(
  { record, version }: Op & { op: "restore" },
  table: Table,
  scope: Scope,
  context: EvaluationContext,
): EvaluatedOp {
  const { history, mutation, rows } = context;
  const stored = rows.record(table, record);
  if (stored && canSee(scope, table, record, stored)) {
    const by = version === undefined ? null : restorerSince(version, table, record, scope, context);
    return { table, record, write: null, ...(by && { by }) };
  }
  const deletion = stored ? null : history.deletion(table.name, record);
  if (!deletion || !canSee(scope, table, record, deletion.before)) throw new Refusal("not_found");
  if (version !== undefined && !isSeen(version, deletion, rows.feed(table.name).head)) {
    throw recordDeleted(table, record, deletion, mutation);
  }
  const known = Object.entries(deletion.before).filter(([name]) => findField(table, name));
  const create = { op: "create", table: table.name, record } as const;
  const values = Object.fromEntries(known);
  return evaluateCreate({ ...create, values }, table, scope, context, { restored: true });
}

/**
 * Whether a deletion is not later than a version. Numbers go on when an epoch ends, so a change of the model does not make
 * the version unknown; one beyond the head belongs to a lost history.
 */
function isSeen(version: string, { seq }: Deletion, head: number): boolean {
  const seen = positionOf(version).seq;
  return seq <= seen && seen <= head;
}
