import { pickValues } from "../../../../shared/model/pick-values.ts";
import type { WireOp } from "../../../../shared/protocol/mutate.ts";
import type { EditCounts } from "../../state/connection-state.ts";
import type { EditIssue } from "../../state/edit-issues.ts";
import type { EditRef } from "../../state/record-view.ts";
import type { StoredRefusal } from "../../transport/edit-storage.ts";
import { conflictsOf } from "./conflict-fields.ts";
import type { EditOutcomes } from "./edit-outcomes.ts";
import type { EditTrackerDeps } from "./edit-parts.ts";
import type { QueuedMutation } from "./mutation-queue.ts";
import { type PendingOp, refKey } from "./pending-op.ts";
import { redactRefused, type ScopedOp } from "./visibility.ts";

/** An op that the server refused, and the mutation it is stored with. */
export interface RefusedOp {
  op: PendingOp;
  mutation: QueuedMutation;
}

/**
 * The ops that wait for the user's decision: tracked, shown and stored. The decisions are in
 * edit-service.ts. Rules C21, C22.
 */
export class RefusedOps {
  readonly #deps: EditTrackerDeps;
  readonly #outcomes: EditOutcomes;
  readonly #ops = new Map<string, RefusedOp>();
  #conflicts = 0;

  constructor(deps: EditTrackerDeps, outcomes: EditOutcomes) {
    this.#deps = deps;
    this.#outcomes = outcomes;
  }

  get counts(): Omit<EditCounts, "waiting"> {
    return { conflicts: this.#conflicts, rejected: this.#ops.size - this.#conflicts };
  }

  /** The refused ops that the user has to decide on. */
  get issues(): EditIssue[] {
    return [...this.#ops.values()].flatMap(({ op }) => {
      if (op.state.kind !== "refused") return [];
      const { message } = op.state.refusal;
      const fields = op.op.op === "update" ? Object.keys(op.op.set) : [];
      const kind = isConflict(op) ? "conflict" : "rejected";
      const [conflict] = Object.values(conflictsOf(op.state.refusal));
      const author = conflict?.by?.name ?? null;
      const { table, record, ref: edit } = op;
      return [{ kind, edit, table, record, fields, message, author } as const];
    });
  }

  find(ref: EditRef): RefusedOp | undefined {
    return this.#ops.get(refKey(ref));
  }

  /** A refused deletion is stored without the record's values, because it remains when the record is no longer visible. */
  add(op: PendingOp, mutation: QueuedMutation, refusal: StoredRefusal): void {
    const isDelete = op.op.op === "delete";
    op.state = { kind: "refused", refusal: isDelete ? { ...refusal, detail: {} } : refusal };
    this.#ops.set(refKey(op.ref), { op, mutation });
    if (isConflict(op)) this.#conflicts += 1;
  }

  /** Takes up the refusals of a mutation that was stored before a reload. */
  adopt(mutation: QueuedMutation): void {
    for (const op of mutation.ops) {
      const refusal = mutation.stored.refusals[op.ref.index];
      if (!refusal) continue;
      this.add(op, mutation, refusal);
      this.#deps.tables.overlay(op.table).add(op);
    }
    this.#deps.onCounts();
  }

  /**
   * Replaces a refused edit by a later one of the same user to the same field, which takes over the
   * base of the refused one.
   */
  supersede(refused: PendingOp, later: PendingOp): void {
    if (refused.op.op !== "update" || later.op.op !== "update") return;
    const { set, base } = refused.op;
    const again = Object.keys(later.op.set).filter((field) => Object.hasOwn(set, field));
    if (again.length === 0) return;
    later.op = {
      ...later.op,
      base: { ...later.op.base, ...pickValues(base, (f) => again.includes(f)) },
    };
    this.trim(refused, (field) => !again.includes(field));
  }

  /** The user's scope has changed: `visiblePart` returns the part of each edit that may stay in this browser. */
  applyVisibility(
    visiblePart: (op: ScopedOp) => WireOp | null,
    onRedacted: (op: ScopedOp, remaining: WireOp | null) => void,
  ): void {
    for (const { op, mutation } of [...this.#ops.values()]) {
      const [before, remaining] = [{ ...op }, visiblePart(op)];
      if (!this.restrict(op, remaining)) continue;
      onRedacted(before, remaining);
      this.persist(mutation);
    }
  }

  /** Reduces a refused op to `remaining`, null for nothing; false if nothing changes. */
  restrict(op: PendingOp, remaining: WireOp | null): boolean {
    if (remaining === op.op) return false;
    if (remaining) redactRefused(op, remaining);
    else this.forget(op);
    this.#deps.tables.overlay(op.table).touch(op.record);
    return true;
  }

  /** Keeps only some fields of a refused update; without any left it is forgotten. */
  trim(op: PendingOp, restrict: (field: string) => boolean): void {
    if (op.op.op !== "update") {
      this.forget(op);
      return;
    }
    op.op = {
      ...op.op,
      set: pickValues(op.op.set, restrict),
      base: pickValues(op.op.base, restrict),
    };
    if (Object.keys(op.op.set).length === 0) this.forget(op);
    else this.#deps.tables.overlay(op.table).touch(op.record);
  }

  /** Takes an op off the screen and out of the books. */
  forget(op: PendingOp): void {
    const wasListed = this.#ops.delete(refKey(op.ref));
    if (wasListed && isConflict(op)) this.#conflicts -= 1;
    this.#deps.tables.overlay(op.table).remove(op);
    this.#outcomes.resolve(op.ref, { kind: "dropped", record: op.record });
    this.#deps.onCounts();
  }

  /** Stores the remaining refusals of a mutation, or deletes it. */
  persist(mutation: QueuedMutation): void {
    const { id } = mutation.stored;
    const refusals = this.#openRefusals(mutation);
    if (!refusals) {
      void this.#deps.editStore.remove([id]);
      return;
    }
    const ops = mutation.ops.map(({ op }) => op);
    mutation.stored = { ...mutation.stored, ops, refusals };
    void this.#deps.editStore.put([mutation.stored]);
    this.#deps.onCounts();
  }

  /** What is left to decide of a mutation, by the place of the op; null for nothing. */
  #openRefusals(mutation: QueuedMutation): Record<number, StoredRefusal> | null {
    const refusals: Record<number, StoredRefusal> = {};
    for (const { ref, state } of mutation.ops) {
      const isOpen = this.#ops.has(refKey(ref));
      if (isOpen && state.kind === "refused") refusals[ref.index] = state.refusal;
    }
    return Object.keys(refusals).length > 0 ? refusals : null;
  }
}

function isConflict({ state }: PendingOp): boolean {
  return state.kind === "refused" && state.refusal.code === "conflict";
}
