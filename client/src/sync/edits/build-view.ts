import type { Json } from "../../../../shared/filter/filter.ts";
import type { Values } from "../../../../shared/model/model.ts";
import type { FieldProblem } from "../../../../shared/protocol/errors.ts";
import type { WireOp } from "../../../../shared/protocol/mutate.ts";
import { explanationText } from "../../messages/error-text.ts";
import type { CellState, RecordProblem, RecordView } from "../../state/record-view.ts";
import type { StoredRefusal } from "../../transport/edit-storage.ts";
import type { Confirmed } from "../records/record-cache.ts";
import { conflictCells } from "./conflict-fields.ts";
import type { PendingOp } from "./pending-op.ts";
import { valuesOf } from "./pending-op.ts";

interface Draft {
  values: Record<string, Json>;
  cells: Record<string, CellState>;
  pending: RecordView["pending"];
  problem: RecordProblem | null;
}

/**
 * What is shown = confirmed + the user's own pending ops, in order. A refused op no longer shows its
 * values: its cells say what it was and why. Undefined if there is nothing to show. `moved` returns
 * the state after a transition, according to the model.
 */
export function buildView(
  id: string,
  confirmed: Confirmed | undefined,
  ops: readonly PendingOp[],
  transitionValues: (op: WireOp) => Values = () => ({}),
): RecordView | undefined {
  const isCreated = ops.some(({ op }) => op.op === "create");
  if (!confirmed && !isCreated) return undefined;
  const { values = {}, version = null, deleted = false } = confirmed ?? {};
  const draft: Draft = { values, cells: {}, pending: null, problem: null };
  for (const op of ops) applyOp(draft, op, confirmed, transitionValues);
  const shown = { id, version, ...draft, confirmed: ops.length > 0 ? values : null };
  if (!deleted || isNewRecord(draft)) return { ...shown, mark: null };
  return { ...shown, mark: "deleted", markedBy: confirmed?.deletedBy ?? null };
}

function applyOp(
  draft: Draft,
  pending: PendingOp,
  confirmed: Confirmed | undefined,
  transitionValues: (op: WireOp) => Values,
): void {
  const { state, op, ref } = pending;
  if (state.kind === "refused") {
    applyRefusedOp(draft, pending, state.refusal, confirmed);
    return;
  }
  if (state.kind === "draft") {
    const { refusal } = state;
    draft.values = { ...draft.values, ...valuesOf(op) };
    draft.pending = "draft";
    draft.problem = refusal && { edit: ref, ...refusal };
    return;
  }
  const written = { ...valuesOf(op), ...transitionValues(op) };
  draft.values = { ...draft.values, ...written };
  if (state.kind === "acknowledged") return;
  // What a restore brings back is known to the server only: it is shown when it is there.
  if (op.op !== "update" && op.op !== "restore") draft.pending = op.op;
  if (op.op === "create") return;
  for (const field of Object.keys(written)) draft.cells[field] = { kind: "pending", edit: ref };
}

function applyRefusedOp(
  draft: Draft,
  { op, ref }: PendingOp,
  refusal: StoredRefusal,
  confirmed: Confirmed | undefined,
): void {
  const { code, message, detail } = refusal;
  if (op.op === "update" && code === "conflict") {
    Object.assign(draft.cells, conflictCells({ ref, op }, refusal, confirmed));
  } else if (op.op === "update") {
    for (const [field, mine] of Object.entries(op.set)) {
      const text = problemText(refusal, field) ?? message;
      draft.cells[field] = { kind: "rejected", edit: ref, mine, code, message: text };
    }
  } else {
    if (op.op === "create") draft.values = { ...draft.values, ...op.values };
    draft.problem = { edit: ref, code, message, detail };
  }
}

/** Whether the server does not have the record yet. */
export function isNewRecord({ pending }: Pick<RecordView, "pending">): boolean {
  return pending === "create" || pending === "draft";
}

/** The sentence of `validation_failed` about one field. */
function problemText(refusal: StoredRefusal, field: string): string | undefined {
  const { fields } = refusal.detail;
  if (typeof fields !== "object" || fields === null) return undefined;
  const problem: unknown = Object.hasOwn(fields, field)
    ? (fields as Record<string, unknown>)[field]
    : undefined;
  const { message } = (problem ?? {}) as { message?: unknown };
  return typeof message === "string" ? explanationText(problem as FieldProblem) : undefined;
}
