import type { ClientLimits } from "../../../../shared/limits.ts";
import type { Values } from "../../../../shared/model/model.ts";
import type { ErrorBody, Refusal } from "../../../../shared/protocol/errors.ts";
import type {
  MutateAnswer,
  MutateCall,
  OpResult,
  WireOp,
} from "../../../../shared/protocol/mutate.ts";
import { type Position, parseVersion } from "../../../../shared/protocol/position.ts";
import { errorText } from "../../messages/error-text.ts";
import type { EditCounts } from "../../state/connection-state.ts";
import type { StoredMutation, StoredRefusal } from "../../transport/edit-storage.ts";
import type { Clock } from "../clock.ts";
import { conflictsOf } from "./conflict-fields.ts";
import { EditOutcomes } from "./edit-outcomes.ts";
import type { EditStore } from "./edit-store.ts";
import { MutationQueue, type QueuedMutation } from "./mutation-queue.ts";
import { isReached, type Overlay } from "./overlay.ts";
import type { EditOutcome } from "./pending-edits.ts";
import { type PendingOp, pick, recordKey, recordOf } from "./pending-op.ts";
import type { RecordDrafts } from "./record-drafts.ts";
import { RefusedOps } from "./refused-ops.ts";
import { splitOps } from "./split-ops.ts";
import type { ScopedOp } from "./visibility.ts";

type OkResult = Extract<OpResult, { ok: true }>;

/** What happens to ops, as the undo stack wants to know it. */
export interface EditJournal {
  submitted(batch: string, op: PendingOp): void;
  /** It will not be; what may go again by itself is taken anew. */
  refused(batch: string, op: PendingOp): void;
  /** Reduces each step to the part that `visiblePart` returns, null for nothing. */
  applyVisibility(visiblePart: (op: ScopedOp) => WireOp | null): void;
}

export interface EditTrackerDeps {
  clock: Clock;
  store: EditStore;
  send(call: MutateCall): Promise<MutateAnswer>;
  isReady(): boolean;
  isTableReady(table: string): boolean;
  onSessionEnded(): void;
  overlay(table: string): Overlay;
  /** Null while nobody follows the table. */
  position(table: string): Position | null;
  journal: EditJournal;
  /** The part of an edit that may be retained under the user's present scope; null for nothing. */
  visiblePart(op: ScopedOp): WireOp | null;
  limits(): ClientLimits;
  drafts(): RecordDrafts;
  /** Numbers for the shell changed. */
  onCounts(): void;
}

export interface Submission {
  origin: StoredMutation["origin"];
  batch: string | null;
}

/**
 * Tracks the user's ops: accepts them, stores them, has them sent, and records the outcome of each.
 * Rules C16-C23. The user's decisions on refused ops are in edit-service.ts.
 */
export class EditTracker {
  readonly #deps: EditTrackerDeps;
  readonly #queue: MutationQueue;
  readonly #outcomes = new EditOutcomes();
  readonly refused: RefusedOps;
  #waiting = 0;
  #lastOrder = 0;

  constructor(deps: EditTrackerDeps) {
    this.#deps = deps;
    const { clock, send, isReady, isTableReady, onSessionEnded } = deps;
    this.refused = new RefusedOps({ ...deps, outcomes: this.#outcomes });
    this.#queue = new MutationQueue({
      clock,
      send,
      isReady,
      isTableReady,
      onSessionEnded,
      onAnswered: (mutation, results) => this.#answered(mutation, results),
      onRefused: (mutation, refusal) => this.#refusedWhole(mutation, refusal),
      onFailure: (error) => void Promise.reject(error),
    });
  }

  get counts(): EditCounts {
    const { conflicts, rejected } = this.refused.counts;
    return { waiting: this.#waiting, conflicts, rejected: rejected + this.#deps.drafts().refusals };
  }

  pump(): void {
    this.#queue.pump();
  }

  stop(): void {
    this.#queue.stop();
  }

  /** Takes ops: shown at once, stored, then sent. One promise for each, in order. */
  submit(
    ops: readonly WireOp[],
    submission: Submission,
  ): { op: PendingOp; outcome: Promise<EditOutcome> }[] {
    const made = splitOps(ops, this.#deps.limits()).map((chunk) => this.#make(chunk, submission));
    const submitted = made.flatMap(({ ops: list }) =>
      list.map((op) => ({ op, outcome: this.#outcomes.promise(op.ref) })),
    );
    for (const mutation of made) this.#add(mutation);
    this.#storeThenSend(made);
    return submitted;
  }

  /** Sends a draft: it is shown under the draft's id until the server has answered. */
  submitDraft(draft: StoredMutation): Promise<EditOutcome> {
    const order = this.#nextOrder();
    const stored: StoredMutation = { ...draft, order, refusals: {} };
    const mutation = toQueued(stored, this.#deps.clock.newId());
    const outcomes = mutation.ops.map(({ ref }) => this.#outcomes.promise(ref));
    this.#add(mutation);
    this.#storeThenSend([mutation]);
    return outcomes[0] ?? Promise.resolve({ kind: "dropped", record: draft.draft ?? "" });
  }

  #nextOrder(): number {
    this.#lastOrder = Math.max(this.#deps.clock.now() * 1_000, this.#lastOrder + 1);
    return this.#lastOrder;
  }

  #make(ops: WireOp[], { origin, batch }: Submission): QueuedMutation {
    const id = this.#deps.clock.newId();
    const { user, tab } = this.#deps.store.owner;
    const order = this.#nextOrder();
    const stored = { id, user, tab, order, ops, atomic: false, origin, refusals: {} };
    return toQueued(stored, batch);
  }

  #add(mutation: QueuedMutation): void {
    for (const op of mutation.ops) {
      this.#deps.overlay(op.table).add(op);
      if (mutation.batch) this.#deps.journal.submitted(mutation.batch, op);
    }
    this.#queue.add(mutation);
    this.#count(mutation.ops.length);
  }

  #storeThenSend(mutations: readonly QueuedMutation[]): void {
    for (const mutation of mutations) mutation.storing += 1;
    void this.#deps.store.put(mutations.map(({ stored }) => stored)).finally(() => {
      for (const mutation of mutations) mutation.storing -= 1;
      this.#queue.pump();
    });
  }

  /** Takes up what was stored before a reload, or by a tab that is gone. */
  async adopt(): Promise<void> {
    for (const stored of await this.#deps.store.adopt()) {
      const mutation = toQueued(stored, null);
      this.#lastOrder = Math.max(this.#lastOrder, stored.order);
      if (stored.origin === "draft") {
        this.#deps.drafts().adopt(stored);
        continue;
      }
      const isDecided = Object.keys(stored.refusals).length > 0;
      if (isDecided) this.refused.adopt(mutation);
      else this.#add(mutation);
    }
    this.#queue.pump();
  }

  #answered(mutation: QueuedMutation, results: readonly OpResult[]): void {
    try {
      for (const [index, result] of results.entries()) {
        const op = mutation.ops[index] as PendingOp;
        if (result.ok) this.#confirm(mutation, op, result);
        else this.#refuse(mutation, op, result.error as ErrorBody);
      }
    } finally {
      this.#count(-results.length);
      this.refused.persist(mutation);
    }
  }

  #refusedWhole(mutation: QueuedMutation, refusal: Refusal): void {
    const error = refusal.toBody();
    this.#answered(
      mutation,
      mutation.ops.map(() => ({ ok: false, error })),
    );
  }

  #confirm(mutation: QueuedMutation, op: PendingOp, result: OkResult): void {
    const overlay = this.#deps.overlay(op.table);
    const isShown = overlay.of(op.record).includes(op);
    const epoch = parseVersion(result.version)?.epoch ?? "";
    op.state = { kind: "acknowledged", position: { epoch, seq: result.seq } };
    if (isShown && result.record !== op.record) this.#rename(mutation, op, result.record);
    const position = this.#deps.position(op.table);
    if (isShown && (!position || isReached(op, position))) overlay.remove(op);
    else overlay.touch(op.record);
    this.#amendLater(mutation, op, (later) => {
      if (later.op.op === "delete") later.op = { ...later.op, version: result.version };
    });
    const { record, seq } = result;
    this.#outcomes.resolve(op.ref, { kind: "confirmed", record, seq });
  }

  /** The record has another id than the one shown. Renames it in later edits too. */
  #rename(mutation: QueuedMutation, op: PendingOp, record: string): void {
    this.#deps.drafts().renamed(op.table, op.record, record);
    this.#amendLater(mutation, op, (later) => {
      later.op = { ...later.op, record };
    });
    this.#deps.overlay(op.table).rename(op, record);
  }

  #refuse(mutation: QueuedMutation, op: PendingOp, error: ErrorBody): void {
    const { code, message: sent, ...detail } = error;
    const message = errorText({ code, message: sent, detail });
    if (op.op.op === "create" && mutation.stored.origin !== "undo") {
      this.#refuseCreate(mutation, op, { code, message, detail });
      return;
    }
    const overlay = this.#deps.overlay(op.table);
    const conflictingFields =
      code === "conflict" ? Object.keys(conflictsOf({ code, message, detail })) : [];
    if (mutation.batch) this.#deps.journal.refused(mutation.batch, op);
    const record = op.record;
    this.#outcomes.resolve(op.ref, { kind: "refused", record, code, message, detail });
    this.refused.add(op, mutation, { code, message, detail });
    this.#amendLater(mutation, op, (later) => this.refused.supersede(op, later));
    if (conflictingFields.length > 0) this.#sendRest(mutation, op, conflictingFields);
    if (mutation.stored.origin === "undo") this.refused.forget(op);
    else overlay.touch(op.record);
    // The rights may have changed while the op was under way.
    this.refused.restrict(op, this.#deps.visiblePart(op));
  }

  /** Makes the record a draft again, with all later edits of it. */
  #refuseCreate(mutation: QueuedMutation, op: PendingOp, refusal: StoredRefusal): void {
    if (mutation.batch) this.#deps.journal.refused(mutation.batch, op);
    const { record } = op;
    this.#outcomes.resolve(op.ref, { kind: "refused", record, ...refusal });
    this.#deps.overlay(op.table).remove(op);
    const values = op.op.op === "create" ? { ...op.op.values } : {};
    let isDeleted = false;
    for (const later of this.#queue.after(mutation, recordKey(op.table, record))) {
      const isOfRecord = (other: PendingOp) => other.table === op.table && other.record === record;
      for (const { op: update } of later.ops.filter(isOfRecord)) {
        if (update.op === "update") Object.assign(values, update.set);
        isDeleted ||= update.op === "delete";
      }
      const rest = later.ops.filter((other) => !isOfRecord(other)).map((other) => other.op);
      const { origin } = later.stored;
      if (this.#withdraw(later)) this.submit(rest, { origin, batch: later.batch });
    }
    if (!isDeleted) this.#deps.drafts().refused(op, mutation.stored, values, refusal);
  }

  /** Nothing of a conflicted op was applied: its fields that do not clash go again by themselves. */
  #sendRest(mutation: QueuedMutation, op: PendingOp, conflictingFields: readonly string[]): void {
    if (op.op.op !== "update") return;
    const isRest = (field: string) => !conflictingFields.includes(field);
    const rest: Values = pick(op.op.set, isRest);
    if (Object.keys(rest).length === 0) return;
    const base = pick(op.op.base, isRest);
    this.refused.trim(op, (field) => !isRest(field));
    const { origin } = mutation.stored;
    this.submit([{ ...op.op, set: rest, base }], { origin, batch: mutation.batch });
  }

  /** Alters ops of mine on the same record that were made later and not sent yet. */
  #amendLater(mutation: QueuedMutation, op: PendingOp, amend: (later: PendingOp) => void): void {
    const later = this.#queue.after(mutation, recordKey(op.table, op.record));
    for (const behind of later.filter(({ attempts }) => attempts === 0)) {
      for (const other of behind.ops) {
        if (other.table === op.table && other.record === op.record) amend(other);
      }
      behind.stored = { ...behind.stored, ops: behind.ops.map((other) => other.op) };
      this.#storeThenSend([behind]);
    }
  }

  /**
   * The user's scope has changed: `visiblePart` returns the part of each edit that may stay in this browser,
   * null for nothing. The server evaluates edits that are already sent.
   */
  applyVisibility(
    visiblePart: (op: ScopedOp) => WireOp | null,
    onRedacted: (op: ScopedOp, remaining: WireOp | null) => void = () => {},
  ): void {
    this.#deps.journal.applyVisibility(visiblePart);
    this.refused.applyVisibility(visiblePart, onRedacted);
    for (const mutation of this.#queue.all()) {
      const remainingOps = mutation.ops.map(visiblePart);
      const isWhole = remainingOps.every((op, index) => op === mutation.ops[index]?.op);
      if (isWhole || !this.#withdraw(mutation)) continue;
      const { origin } = mutation.stored;
      // What an undo would have written are the values that it found, not words of its author.
      if (origin !== "undo")
        for (const [index, op] of mutation.ops.entries())
          onRedacted(op, remainingOps[index] ?? null);
      const ops = remainingOps.filter((op) => op !== null);
      this.submit(ops, { origin, batch: mutation.batch });
    }
  }

  /** Takes back a mutation that was not answered yet; false while it is under way. */
  #withdraw(mutation: QueuedMutation): boolean {
    if (!this.#queue.withdraw(mutation)) return false;
    for (const op of mutation.ops) this.refused.forget(op);
    this.#count(-mutation.ops.length);
    void this.#deps.store.remove([mutation.stored.id]);
    return true;
  }

  #count(more: number): void {
    this.#waiting += more;
    this.#deps.onCounts();
  }
}

function toQueued(stored: StoredMutation, batch: string | null): QueuedMutation {
  const ops = stored.ops.map((op, index): PendingOp => {
    const ref = { mutation: stored.id, index };
    const record = stored.draft ?? recordOf(op);
    return { ref, table: op.table, record, op, state: { kind: "waiting" } };
  });
  return { stored, ops, batch, storing: 0, isSending: false, attempts: 0, notBefore: 0 };
}
