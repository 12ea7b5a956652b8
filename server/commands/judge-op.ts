import { isStorable } from "../../shared/filter/storable.ts";
import {
  findField,
  findTable,
  type Model,
  type Table,
  type Values,
} from "../../shared/model/model.ts";
import { governedBy } from "../../shared/model/state-of.ts";
import type { Scope, Subject } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { canSee, requireScope } from "../policy/authorize.ts";
import { redactRefusal } from "../policy/redact-refusal.ts";
import { judgeCreate } from "./judge-create.ts";
import { judgeDelete } from "./judge-delete.ts";
import { judgeTransition } from "./judge-transition.ts";
import { judgeUpdate } from "./judge-update.ts";
import type { Judged, Judging } from "./judging.ts";
import type { Op } from "./op.ts";

/** Judges one op and lays its effect over the working set. Throws the refusal that the caller sees. */
export function judgeOp(op: Op, judging: Judging): Judged {
  const { subject } = judging.mutation;
  const table = findTable(judging.model, op.table);
  const scope = requireScope(subject, table);
  if (op.op !== "create" && !isStorable(op.record)) throw new Refusal("not_found");
  try {
    const judged = judgeByKind(op, table as Table, scope, judging);
    if (judged.write) judging.rows.put(judged.write, judging.mutation.author);
    return judged;
  } catch (error) {
    throw error instanceof Refusal
      ? redactFor(op, error, { subject, model: judging.model })
      : error;
  }
}

/** The refusal of an op as its author may know it. */
export function redactFor(
  op: Op | undefined,
  refusal: Refusal,
  { subject, model }: { subject: Subject; model: Model },
): Refusal {
  const table = findTable(model, op?.table ?? "");
  return redactRefusal(refusal, { subject, model, table, seen: seenBy(op, table) });
}

/** What the author of an op said that they saw of the record. */
function seenBy(op: Op | undefined, table: Table | undefined): Values | undefined {
  if (op?.op !== "update" && op?.op !== "transition") return undefined;
  const stateField = table && governedBy(table)?.stateField;
  if (op.op === "update" || stateField === undefined) return op.base;
  return { ...op.base, [stateField]: op.from };
}

function judgeByKind(op: Op, table: Table, scope: Scope, judging: Judging): Judged {
  switch (op.op) {
    case "create":
      return judgeCreate(op, table, scope, judging);
    case "update":
      return judgeUpdate(op, table, scope, judging);
    case "delete":
      return judgeDelete(op, table, scope, judging);
    case "restore":
      return judgeRestore(op.record, table, scope, judging);
    case "transition":
      return judgeTransition(op, table, scope, judging);
  }
}

/**
 * Brings a deleted record back as it was, by the door through which new ones come: whole, also what
 * who asks for it may not see. They write none of it and learn none of it.
 */
function judgeRestore(record: string, table: Table, scope: Scope, judging: Judging): Judged {
  const standing = judging.rows.record(table, record);
  if (standing && canSee(scope, table, record, standing)) return { table, record, write: null };
  const deletion = standing ? null : judging.past.deletion(table.name, record);
  if (!deletion || !canSee(scope, table, record, deletion.before)) throw new Refusal("not_found");
  const known = Object.entries(deletion.before).filter(([name]) => findField(table, name));
  const create = { op: "create", table: table.name, record } as const;
  const values = Object.fromEntries(known);
  return judgeCreate({ ...create, values }, table, scope, judging, { restored: true });
}
