import type { Values } from "../../../../shared/model/model.ts";
import { pickValues } from "../../../../shared/model/pick-values.ts";
import type { ErrorBody } from "../../../../shared/protocol/errors.ts";
import type { OpResult, WireOp } from "../../../../shared/protocol/mutate.ts";
import { parseVersion } from "../../../../shared/protocol/position.ts";
import { errorMessages } from "../../messages/en/errors.ts";
import { errorText } from "../../messages/error-text.ts";
import type { EditCounts } from "../../state/connection-state.ts";
import type { StoredRefusal } from "../../transport/edit-storage.ts";
import { conflictsOf } from "./conflict-fields.ts";
import { EditOutcomes } from "./edit-outcomes.ts";
import type { EditTrackerDeps } from "./edit-parts.ts";
import { type QueuedMutation, toQueued } from "./mutation-queue.ts";
import type { PendingOp } from "./pending-op.ts";
import { RefusedOps } from "./refused-ops.ts";
import { SubmittedOps } from "./submitted-ops.ts";
import { limitToModel, type ScopedOp } from "./visibility.ts";

type OkResult = Extract<OpResult, { ok: true }>;

/**
 * Tracks the user's ops: records the outcome of each that was submitted, and what follows from it for later ones.
 * Rules C19-C23. The user's decisions on refused ops are in edit-service.ts.
 */
export class EditTracker {
  readonly #deps: EditTrackerDeps;
  readonly #outcomes = new EditOutcomes();
  readonly submitted: SubmittedOps;
  readonly refused: RefusedOps;

  constructor(deps: EditTrackerDeps) {
    this.#deps = deps;
    this.refused = new RefusedOps(deps, this.#outcomes);
    this.submitted = new SubmittedOps(deps, this.#outcomes, (mutation, results) =>
      this.#answered(mutation, results),
    );
  }

  get counts(): EditCounts {
    const { conflicts, rejected } = this.refused.counts;
    return {
      waiting: this.submitted.waiting,
      conflicts,
      rejected: rejected + this.#deps.drafts.refusals,
    };
  }

  /** Takes up what was stored before a reload, or by a tab that is gone. */
  async adopt(): Promise<void> {
    for (const stored of await this.#deps.editStore.adopt()) {
      const mutation = toQueued(stored, null);
      this.submitted.startAfter(stored.order);
      if (stored.origin === "draft") {
        this.#deps.drafts.adopt(stored);
        continue;
      }
      const isDecided = Object.keys(stored.refusals).length > 0;
      if (isDecided) this.refused.adopt(mutation);
      else this.submitted.add(mutation);
    }
    this.submitted.pump();
  }

  #answered(mutation: QueuedMutation, results: readonly OpResult[]): void {
    try {
      for (const [index, result] of results.entries()) {
        const op = mutation.ops[index] as PendingOp;
        if (result.ok) this.#confirm(mutation, op, result);
        else this.#refuse(mutation, op, result.error as ErrorBody);
      }
    } finally {
      this.refused.persist(mutation);
    }
  }

  #confirm(mutation: QueuedMutation, op: PendingOp, result: OkResult): void {
    const overlay = this.#deps.tables.overlay(op.table);
    const isShown = overlay.of(op.record).includes(op);
    const epoch = parseVersion(result.version)?.epoch ?? "";
    op.state = { kind: "acknowledged", position: { epoch, seq: result.seq } };
    if (isShown && result.record !== op.record) this.#rename(mutation, op, result.record);
    // While the table is followed, it ends the op once what is shown beneath is as new.
    const phase = this.#deps.tables.get(op.table)?.phase ?? "refused";
    if (isShown && phase === "refused") overlay.remove(op);
    else overlay.touch(op.record);
    const { journal } = this.#deps;
    const { record, seq, version, unchanged, by } = result;
    if (unchanged) journal.unchanged(op);
    else journal.confirmed(op, version);
    this.submitted.amendLater(mutation, op, (later, { stored }) => {
      if (later.op.op === "restore" && op.op.op === "delete") later.op = { ...later.op, version };
      if (later.op.op !== "delete") return;
      const added = stored.origin === "undo" ? journal.addedVersion(op.table, op.record) : null;
      later.op = { ...later.op, version: added ?? version };
    });
    const already = { ...(unchanged && { unchanged }), ...(by && { by }) };
    this.#outcomes.resolve(op.ref, { kind: "confirmed", record, seq, ...already });
  }

  /** The record has another id than the one shown. Renames it in later edits too. */
  #rename(mutation: QueuedMutation, op: PendingOp, record: string): void {
    this.#deps.drafts.renamed(op.table, op.record, record);
    this.submitted.amendLater(mutation, op, (later) => {
      later.op = { ...later.op, record };
    });
    this.#deps.tables.overlay(op.table).rename(op, record);
  }

  #refuse(mutation: QueuedMutation, op: PendingOp, error: ErrorBody): void {
    const { code, message: sent, ...detail } = error;
    const message = errorText({ code, message: sent, detail });
    if (op.op.op === "create" && mutation.stored.origin !== "undo") {
      this.#refuseCreate(mutation, op, { code, message, detail });
      return;
    }
    const overlay = this.#deps.tables.overlay(op.table);
    const conflictingFields =
      code === "conflict" ? Object.keys(conflictsOf({ code, message, detail })) : [];
    if (mutation.batch) this.#deps.journal.refused(mutation.batch, op);
    const record = op.record;
    this.#outcomes.resolve(op.ref, { kind: "refused", record, code, message, detail });
    this.refused.add(op, mutation, { code, message, detail });
    this.submitted.amendLater(mutation, op, (later) => this.refused.supersede(op, later));
    if (conflictingFields.length > 0) this.#sendRest(mutation, op, conflictingFields);
    if (mutation.stored.origin === "undo") {
      this.refused.forget(op);
      return;
    }
    overlay.touch(op.record);
    // The model may have changed while the op was under way.
    const [before, remaining] = [{ ...op }, limitToModel(this.#deps.context().model)(op)];
    if (this.refused.restrict(op, remaining))
      this.#deps.texts.addRemoved(before, remaining, errorMessages.fieldGone());
  }

  /** Makes the record a draft again, with all later edits of it. */
  #refuseCreate(mutation: QueuedMutation, op: PendingOp, refusal: StoredRefusal): void {
    if (mutation.batch) this.#deps.journal.refused(mutation.batch, op);
    const { record } = op;
    this.#outcomes.resolve(op.ref, { kind: "refused", record, ...refusal });
    this.#deps.tables.overlay(op.table).remove(op);
    const values = op.op.op === "create" ? { ...op.op.values } : {};
    let isDeleted = false;
    for (const later of this.submitted.after(mutation, op)) {
      const isOfRecord = (other: PendingOp) => other.table === op.table && other.record === record;
      for (const { op: update } of later.ops.filter(isOfRecord)) {
        if (update.op === "update") Object.assign(values, update.set);
        isDeleted ||= update.op === "delete";
      }
      const rest = later.ops.filter((other) => !isOfRecord(other)).map((other) => other.op);
      const { origin } = later.stored;
      if (this.submitted.withdraw(later))
        this.submitted.submit(rest, { origin, batch: later.batch });
    }
    if (!isDeleted) this.#deps.drafts.refused(op, mutation.stored, values, refusal);
  }

  /** Nothing of a conflicted op was applied: its fields that do not clash go again by themselves. */
  #sendRest(mutation: QueuedMutation, op: PendingOp, conflictingFields: readonly string[]): void {
    if (op.op.op !== "update") return;
    const isRest = (field: string) => !conflictingFields.includes(field);
    const rest: Values = pickValues(op.op.set, isRest);
    if (Object.keys(rest).length === 0) return;
    const base = pickValues(op.op.base, isRest);
    this.refused.trim(op, (field) => !isRest(field));
    const { origin } = mutation.stored;
    this.submitted.submit([{ ...op.op, set: rest, base }], { origin, batch: mutation.batch });
  }

  /**
   * The user's scope has changed: `visiblePart` returns the part of each edit that may stay in this browser,
   * null for nothing. The author's values of the rest become unsaved texts, with the reason. The server evaluates edits that
   * are already sent.
   */
  applyVisibility(visiblePart: (op: ScopedOp) => WireOp | null, reason: string): void {
    const { journal, texts } = this.#deps;
    const onRedacted = (op: ScopedOp, remaining: WireOp | null) =>
      texts.addRemoved(op, remaining, reason);
    journal.applyVisibility(visiblePart);
    this.refused.applyVisibility(visiblePart, onRedacted);
    for (const mutation of this.submitted.all()) {
      const remainingOps = mutation.ops.map(visiblePart);
      const isWhole = remainingOps.every((op, index) => op === mutation.ops[index]?.op);
      if (isWhole || !this.submitted.withdraw(mutation)) continue;
      const { origin } = mutation.stored;
      // What an undo would have written are the values that it found, not words of its author.
      if (origin !== "undo")
        for (const [index, op] of mutation.ops.entries())
          onRedacted(op, remainingOps[index] ?? null);
      const ops = remainingOps.filter((op) => op !== null);
      this.submitted.submit(ops, { origin, batch: mutation.batch });
    }
  }
}
