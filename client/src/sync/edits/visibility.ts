import { resolveField, resolveTable } from "../../../../shared/model/former-names.ts";
import type { Model } from "../../../../shared/model/model.ts";
import { pickValues } from "../../../../shared/model/pick-values.ts";
import type { WireOp } from "../../../../shared/protocol/mutate.ts";
import { errorMessages as messages } from "../../messages/en/errors.ts";
import type { StoredRefusal } from "../../transport/edit-storage.ts";
import type { PendingOp } from "./pending-op.ts";

/** Replaces a refusal that may hold more than the author of the edit may still see. */
function recordGone(): StoredRefusal {
  return { code: "not_found", message: messages.recordGone(), detail: {} };
}

/** The parts of an edit that visibility concerns. */
export type ScopedOp = Pick<PendingOp, "table" | "record" | "op">;

/**
 * The parts of edits that may be retained when their author's rights change. An edit holds, beside its own values, those that its
 * author saw and, after a conflict, those of others. Created records hold only their author's values.
 */

/** Removes previously seen values from edits of records that are no longer visible. */
export function limitToRecords(table: string, visible: (record: string) => boolean) {
  return ({ table: ownTable, record, op }: ScopedOp): WireOp | null =>
    ownTable !== table || visible(record) ? op : withoutSeenValues(op);
}

/** Ops that only name a record are still sent, so that their author learns the outcome. */
function withoutSeenValues(op: WireOp): WireOp | null {
  if (op.op === "update") return null;
  if (op.op !== "transition" || op.from === "") return op;
  const { base: _base, set: _set, ...rest } = op;
  return { ...rest, from: "" };
}

/** Removes edits of tables and fields that the visible model no longer has. */
export function limitToModel(model: Model) {
  return ({ table: name, op }: ScopedOp): WireOp | null => {
    const table = resolveTable(model, name);
    if (!table) return withoutSeenValues(op);
    if (op.op !== "update" && op.op !== "transition") return op;
    const isKnown = (field: string) => resolveField(table, field) !== undefined;
    if (Object.keys({ ...op.base, ...op.set }).every(isKnown)) return op;
    const set = pickValues(op.set ?? {}, isKnown);
    const base = pickValues(op.base ?? {}, isKnown);
    return op.op === "transition" || Object.keys(set).length > 0 ? { ...op, set, base } : null;
  };
}

/** Reduces a refused edit to `remaining`, and its refusal to the same fields. */
export function redactRefused(op: PendingOp, remaining: WireOp): void {
  op.op = remaining;
  if (op.state.kind !== "refused") return;
  // A transition that still names the state it began in has lost fields only, not its record.
  const isOfFields =
    remaining.op === "update" || (remaining.op === "transition" && remaining.from !== "");
  if (!isOfFields) {
    op.state = { kind: "refused", refusal: recordGone() };
    return;
  }
  const { refusal } = op.state;
  const { fields } = refusal.detail;
  if (typeof fields !== "object" || fields === null) return;
  const visibleFields = Object.entries(fields).filter(([field]) =>
    Object.hasOwn(remaining.set ?? {}, field),
  );
  const detail = { ...refusal.detail, fields: Object.fromEntries(visibleFields) };
  op.state = { kind: "refused", refusal: { ...refusal, detail } };
}
