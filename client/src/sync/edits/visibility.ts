import { resolveField, resolveTable } from "../../../../shared/model/former-names.ts";
import type { Model } from "../../../../shared/model/model.ts";
import type { WireOp } from "../../../../shared/protocol/mutate.ts";
import type { StoredRefusal } from "../../transport/edit-storage.ts";
import { type PendingOp, pick } from "./pending-op.ts";

/** What is said of an edit instead of a refusal that tells more than its author may know now. */
const OUT_OF_SIGHT: StoredRefusal = {
  code: "not_found",
  message: "The record was deleted, or you can no longer see it.",
  detail: {},
};

/** An edit, as far as sight is concerned. */
export type ScopedOp = Pick<PendingOp, "table" | "record" | "op">;

/**
 * What may stay of my edits when my rights have changed: an edit holds, beside my own words, what I saw
 * when I made it and, after a conflict, what others wrote. Created records hold nothing but my words.
 */

/** Edits of records of a table that I may no longer see keep nothing of what I saw. */
export function limitToRecords(table: string, visible: (record: string) => boolean) {
  return ({ table: ownTable, record, op }: ScopedOp): WireOp | null =>
    ownTable !== table || visible(record) ? op : withoutSeenValues(op);
}

/** What names a record and holds nothing of it is sent all the same, so that its author hears what became of it. */
function withoutSeenValues(op: WireOp): WireOp | null {
  if (op.op === "update") return null;
  if (op.op !== "transition" || op.from === "") return op;
  const { base: _base, set: _set, ...rest } = op;
  return { ...rest, from: "" };
}

/** Edits of tables and fields that the model, as far as I may know it, no longer has go. */
export function limitToModel(model: Model) {
  return ({ table: name, op }: ScopedOp): WireOp | null => {
    const table = resolveTable(model, name);
    if (!table) return withoutSeenValues(op);
    if (op.op !== "update") return op;
    const isKnown = (field: string) => resolveField(table, field) !== undefined;
    if (Object.keys(op.set).every(isKnown)) return op;
    const set = pick(op.set, isKnown);
    const base = pick(op.base, isKnown);
    return Object.keys(set).length > 0 ? { ...op, set, base } : null;
  };
}

/** Keeps of a refused edit what `stays`; what the refusal tells of other fields goes with them. */
export function redactRefused(op: PendingOp, remaining: WireOp): void {
  op.op = remaining;
  if (op.state.kind !== "refused") return;
  if (remaining.op !== "update") {
    op.state = { kind: "refused", refusal: OUT_OF_SIGHT };
    return;
  }
  const { refusal } = op.state;
  const { fields } = refusal.detail;
  if (typeof fields !== "object" || fields === null) return;
  const visibleFields = Object.entries(fields).filter(([field]) =>
    Object.hasOwn(remaining.set, field),
  );
  const detail = { ...refusal.detail, fields: Object.fromEntries(visibleFields) };
  op.state = { kind: "refused", refusal: { ...refusal, detail } };
}
