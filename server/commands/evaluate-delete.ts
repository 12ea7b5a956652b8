import type { Table } from "../../shared/model/model.ts";
import type { Scope } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { requireDelete } from "../policy/authorize.ts";
import { conflictOf, requireVersion } from "./conflict.ts";
import { type EvaluatedOp, type EvaluationContext, noteOf } from "./evaluation-context.ts";
import { findStoredRecord } from "./find-stored-record.ts";
import type { Op } from "./op.ts";

/** Deletes a record that nobody has changed since its author saw it. */
export function evaluateDelete(
  op: Op & { op: "delete" },
  table: Table,
  scope: Scope,
  context: EvaluationContext,
): EvaluatedOp {
  const { record } = op;
  if (!op.overwrite && op.version === undefined) throw new Refusal("base_required");
  const stored = findStoredRecord(table, record, scope, context);
  requireDelete(context.mutation.subject, table, record, stored);
  if (!op.overwrite && op.version !== undefined) {
    const changed = requireVersion(op.version, table, record, scope, context);
    if (changed.length) throw conflictOf(op, table, stored, changed, context);
  }
  const note = noteOf(context);
  const write = { kind: "delete", table, record, set: {}, row: stored, note } as const;
  return { table, record, write };
}
