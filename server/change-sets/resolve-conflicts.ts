import type { Model, Values } from "../../shared/model/model.ts";
import { pickValues } from "../../shared/model/pick-values.ts";
import { governedBy } from "../../shared/model/state-of.ts";
import type { Resolution } from "../../shared/protocol/change-sets.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import type { Op } from "../commands/op.ts";
import type { StoredOp } from "../store/change-sets/change-set-ops.ts";
import { fromStored, tableOf, toStored } from "./stored-op.ts";

/** Applies the resolutions to the conflicting ops that they name. Throws `invalid_request` for a cell without a conflict. */
export function resolveConflicts(
  ops: readonly StoredOp[],
  resolutions: readonly Resolution[],
  model: Model,
): StoredOp[] {
  const resolved = new Map<number, Op>();
  const stateFields = new Map<number, string | undefined>();
  for (const stored of ops) {
    const table = tableOf(stored.tableId, model);
    resolved.set(stored.n, fromStored(stored, model));
    stateFields.set(stored.n, table && governedBy(table)?.stateField);
  }
  const left = new Set<number>();
  for (const resolution of resolutions) {
    const { index } = resolution;
    if (left.has(index)) continue;
    const op = resolved.get(index);
    if (op && isLeft(op, resolution)) left.add(index);
    const next = op && resolve(op, resolution, stateFields.get(index));
    if (!next) throw new Refusal("invalid_request", { at: "resolve", index });
    resolved.set(index, next);
  }
  return [...resolved].map(([index, op]) => toStored(op as WireOp, index, model));
}

function resolve(
  op: Op,
  { field, keep, theirs }: Resolution,
  stateField: string | undefined,
): Op | null {
  if (op.op === "delete") return keep === "theirs" ? updateOf(op, {}, {}) : null;
  if (op.op !== "update" && op.op !== "transition") return null;
  const { set = {}, base = {} } = op;
  if (op.op === "transition" && field === stateField) {
    if (keep === "theirs") {
      return { ...updateOf(op, set, base), ...(op.key !== undefined && { key: op.key }) };
    }
    return typeof theirs === "string" ? { ...op, from: theirs } : null;
  }
  if (isLeft(op, { field, keep })) return updateOf(op, {}, {});
  if (field !== op.key && !Object.hasOwn(set, field)) return null;
  if (keep === "mine") return { ...op, base: { ...base, [field]: theirs } };
  const without = (values: Values) => pickValues(values, (name) => name !== field);
  return { ...op, set: without(set), base: without(base) };
}

/** Whether a record that has another key now, and was not meant, is left as it is, whatever is decided of its other fields. */
function isLeft(op: Op, { field, keep }: Pick<Resolution, "field" | "keep">): boolean {
  return "key" in op && field === op.key && keep === "theirs";
}

function updateOf(
  { table, record }: Pick<WireOp & { record: string }, "table" | "record">,
  set: Values,
  base: Values,
) {
  return { op: "update", table, record, set, base } satisfies WireOp;
}
