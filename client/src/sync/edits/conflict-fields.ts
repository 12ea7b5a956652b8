import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { WireChange } from "../../../../shared/protocol/feed.ts";
import type { CellState } from "../../state/record-view.ts";
import type { StoredRefusal } from "../../transport/edit-storage.ts";
import type { Confirmed } from "../records/record-cache.ts";
import type { PendingOp, UpdateOp } from "./pending-op.ts";

type ConflictEntry = Pick<Extract<CellState, { kind: "conflict" }>, "theirs" | "by" | "at">;

/**
 * The clashing fields that the server named, with what is stored, by whom and when; empty if it named none that can be read. Its `base` and
 * `mine` are those of the op, which is here anyway, so they are not read.
 */
export function conflictsOf(refusal: StoredRefusal): Record<string, Partial<ConflictEntry>> {
  const { fields } = refusal.detail;
  return typeof fields === "object" && fields !== null
    ? (fields as Record<string, Partial<ConflictEntry>>)
    : {};
}

/** The stored value of a conflicted field: of the cached record, else what the server found. */
export function theirsOf(
  refusal: StoredRefusal,
  field: string,
  confirmed: Confirmed | undefined,
): Json {
  const current = confirmed && !confirmed.deleted && !confirmed.stale;
  const known = current ? confirmed.values[field] : conflictsOf(refusal)[field]?.theirs;
  return known ?? null;
}

/** The state of each conflicted cell of a refused update. */
export function conflictCells(
  { ref, op }: { ref: PendingOp["ref"]; op: UpdateOp },
  refusal: StoredRefusal,
  confirmed: Confirmed | undefined,
): Record<string, CellState> {
  const conflicts = conflictsOf(refusal);
  const cells: Record<string, CellState> = {};
  for (const [field, mine] of Object.entries(op.set)) {
    const { by = null, at = null } = conflicts[field] ?? {};
    const base = op.base[field] ?? null;
    const theirs = theirsOf(refusal, field, confirmed);
    cells[field] = { kind: "conflict", edit: ref, base, mine, theirs, by, at };
  }
  return cells;
}

/**
 * Whether a change came after the one that the field is in conflict with. The refusal may have overtaken that one, and earlier
 * ones. A conflict that names no time is with a value older than all changes that are still to come.
 */
function isLater(refusal: StoredRefusal, field: string, { at }: WireChange): boolean {
  const known = conflictsOf(refusal)[field]?.at;
  return !known || !(Date.parse(at) <= Date.parse(known));
}

/** Keeps "by" and "at" of a conflict current when the field changes once more. */
export function updateConflict(refusal: StoredRefusal, change: WireChange): StoredRefusal {
  const conflicts = conflictsOf(refusal);
  const changedFields = Object.keys(change.set).filter(
    (field) => Object.hasOwn(conflicts, field) && isLater(refusal, field, change),
  );
  if (refusal.code !== "conflict" || changedFields.length === 0) return refusal;
  const fields = { ...conflicts };
  for (const field of changedFields) {
    fields[field] = {
      ...fields[field],
      theirs: change.set[field] ?? null,
      by: change.by,
      at: change.at,
    };
  }
  return { ...refusal, detail: { ...refusal.detail, fields } };
}

/** The fields of a conflict in which a later change has written the value that my edit wants. */
export function agreedFields({ op, state }: PendingOp, change: WireChange): string[] {
  if (op.op !== "update" || state.kind !== "refused" || state.refusal.code !== "conflict")
    return [];
  const { refusal } = state;
  const isAgreed = (field: string) =>
    Object.hasOwn(change.set, field) &&
    deepEqual(change.set[field] ?? null, op.set[field] ?? null) &&
    isLater(refusal, field, change);
  return Object.keys(op.set).filter(isAgreed);
}
