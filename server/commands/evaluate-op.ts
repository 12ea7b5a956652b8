import { explain } from "../../shared/error-texts/explain.ts";
import type { Json } from "../../shared/filter/filter.ts";
import { isStorable, isStorableJson } from "../../shared/filter/storable.ts";
import { findTable, type Model, type Table, type Values } from "../../shared/model/model.ts";
import { governedBy } from "../../shared/model/state-of.ts";
import type { Scope, Subject } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { requireDelete, requireScope } from "../policy/authorize.ts";
import { redactRefusal } from "../policy/redact-refusal.ts";
import { evaluateCreate, evaluateRestore } from "./evaluate-create.ts";
import { evaluateTransition } from "./evaluate-transition.ts";
import { evaluateUpdate } from "./evaluate-update.ts";
import { type EvaluatedOp, type EvaluationContext, noteOf } from "./evaluation-context.ts";
import type { Op } from "./op.ts";
import { conflictOf, findStoredRecord, requireVersion } from "./stored-record.ts";

/** Evaluates one op and applies its effect to the working set. Throws the refusal that the caller sees. */
export function evaluateOp(op: Op, context: EvaluationContext): EvaluatedOp {
  const { subject } = context.mutation;
  const table = findTable(context.model, op.table);
  const scope = requireScope(subject, table);
  if (op.op !== "create" && !isStorable(op.record)) throw new Refusal("not_found");
  requireStorableParts(op);
  try {
    const evaluated = evaluateByKind(op, table as Table, scope, context);
    requireNotErased(evaluated, context);
    if (evaluated.write) context.rows.put(evaluated.write, context.mutation.author);
    return evaluated;
  } catch (error) {
    throw error instanceof Refusal
      ? redactFor(op, error, { subject, model: context.model })
      : error;
  }
}

/**
 * Refuses a part that can't be stored: the answer is stored, and a refusal may repeat any part. A new value that can't be
 * stored is left to the checks of its field.
 */
function requireStorableParts(op: Op): void {
  for (const [at, part] of Object.entries(op)) {
    const repeated = at === "set" || at === "values" ? Object.keys(part) : (part as Json);
    if (!isStorableJson(repeated ?? null)) throw new Refusal("invalid_request", { at });
  }
}

/** A browser may still hold what was erased, to undo its user's edit of it: no undo brings a value of the field back. */
function requireNotErased(
  { table, record, write }: EvaluatedOp,
  { mutation, history }: EvaluationContext,
): void {
  if (mutation.origin !== "undo" || write?.kind !== "update") return;
  const erased = history.erasedFields(table.name, record);
  const fields = erased.filter((name) => (write.set[name] ?? null) !== null);
  if (fields.length === 0) return;
  throw new Refusal("field_locked", { table: table.name, fields }, explain("record.erased"));
}

/** The refusal of an op, as far as its author may see it. */
export function redactFor(
  op: Op | undefined,
  refusal: Refusal,
  { subject, model }: { subject: Subject; model: Model },
): Refusal {
  const table = findTable(model, op?.table ?? "");
  return redactRefusal(refusal, { subject, model, table, baseValues: baseValuesOf(op, table) });
}

/** What the author of an op claims to have seen of the record. */
function baseValuesOf(op: Op | undefined, table: Table | undefined): Values | undefined {
  if (op?.op !== "update" && op?.op !== "transition") return undefined;
  const stateField = table && governedBy(table)?.stateField;
  if (op.op === "update" || stateField === undefined) return op.base;
  return { ...op.base, [stateField]: op.from };
}

function evaluateByKind(
  op: Op,
  table: Table,
  scope: Scope,
  context: EvaluationContext,
): EvaluatedOp {
  switch (op.op) {
    case "create":
      return evaluateCreate(op, table, scope, context);
    case "update":
      return evaluateUpdate(op, table, scope, context);
    case "delete":
      return evaluateDelete(op, table, scope, context);
    case "restore":
      return evaluateRestore(op, table, scope, context);
    case "transition":
      return evaluateTransition(op, table, scope, context);
  }
}

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
