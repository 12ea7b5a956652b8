import type { Json } from "../../../../shared/filter/filter.ts";
import type { WireChange } from "../../../../shared/protocol/changes.ts";
import type { CellState } from "../../state/record-view.ts";
import type { StoredRefusal } from "../../transport/edit-storage.ts";
import type { Confirmed } from "../records/record-cache.ts";
import type { PendingOp, UpdateOp } from "./pending-op.ts";

type Clash = Pick<Extract<CellState, { kind: "conflict" }>, "theirs" | "by" | "at">;

/** The clashing fields that the server named; empty if it named none that can be read. */
export function clashesOf(refusal: StoredRefusal): Record<string, Partial<Clash>> {
  const { fields } = refusal.detail;
  return typeof fields === "object" && fields !== null
    ? (fields as Record<string, Partial<Clash>>)
    : {};
}

/** What stands in a conflicted field now: the record as held, else what the server found. */
export function theirsOf(
  refusal: StoredRefusal,
  field: string,
  confirmed: Confirmed | undefined,
): Json {
  const current = confirmed && !confirmed.deleted && !confirmed.stale;
  const known = current ? confirmed.values[field] : clashesOf(refusal)[field]?.theirs;
  return known ?? null;
}

/** The state of each conflicted cell of a refused update. */
export function conflictCells(
  { ref, op }: { ref: PendingOp["ref"]; op: UpdateOp },
  refusal: StoredRefusal,
  confirmed: Confirmed | undefined,
): Record<string, CellState> {
  const clashes = clashesOf(refusal);
  const cells: Record<string, CellState> = {};
  for (const [field, mine] of Object.entries(op.set)) {
    const { by = null, at = null } = clashes[field] ?? {};
    const base = op.base[field] ?? null;
    const theirs = theirsOf(refusal, field, confirmed);
    cells[field] = { kind: "conflict", edit: ref, base, mine, theirs, by, at };
  }
  return cells;
}

/** Keeps "by" and "at" of a conflict current when the field changes once more. */
export function followConflict(refusal: StoredRefusal, change: WireChange): StoredRefusal {
  const clashes = clashesOf(refusal);
  const moved = Object.keys(change.set).filter((field) => Object.hasOwn(clashes, field));
  if (refusal.code !== "conflict" || moved.length === 0) return refusal;
  const fields = { ...clashes };
  for (const field of moved) {
    fields[field] = {
      ...fields[field],
      theirs: change.set[field] ?? null,
      by: change.by,
      at: change.at,
    };
  }
  return { ...refusal, detail: { ...refusal.detail, fields } };
}
