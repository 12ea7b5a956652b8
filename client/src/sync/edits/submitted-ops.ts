import type { OpResult, WireOp } from "../../../../shared/protocol/mutate.ts";
import type { StoredMutation } from "../../transport/edit-storage.ts";
import type { EditOutcomes } from "./edit-outcomes.ts";
import type { EditTrackerDeps } from "./edit-parts.ts";
import { MutationQueue, type QueuedMutation, toQueued } from "./mutation-queue.ts";
import type { EditOutcome } from "./pending-edits.ts";
import { type PendingOp, recordKey } from "./pending-op.ts";
import { splitOps } from "./split-ops.ts";

const MUTATE_TIMEOUT_MS = 15_000;

interface Submission {
  origin: StoredMutation["origin"];
  batch: string | null;
}

/**
 * The user's ops until the server has answered them: shown at once, stored, then sent. `EditTracker` records the answers.
 * Rules C16-C18.
 */
export class SubmittedOps {
  readonly #deps: EditTrackerDeps;
  readonly #outcomes: EditOutcomes;
  readonly #queue: MutationQueue;
  #waiting = 0;
  #lastOrder = 0;

  constructor(
    deps: EditTrackerDeps,
    outcomes: EditOutcomes,
    onAnswered: (mutation: QueuedMutation, results: readonly OpResult[]) => void,
  ) {
    this.#deps = deps;
    this.#outcomes = outcomes;
    const { clock, transport, tables, connection } = deps;
    this.#queue = new MutationQueue({
      clock,
      send: (call) => transport.call("mutate", call, MUTATE_TIMEOUT_MS),
      isReady: () => connection.isOpen,
      isTableReady: (table) => tables.get(table)?.isCaughtUp ?? true,
      onSessionEnded: () => connection.end("signedOut"),
      onAnswered: (mutation, results) => {
        try {
          onAnswered(mutation, results);
        } finally {
          this.#count(-results.length);
        }
      },
      onFailure: (error) => void Promise.reject(error),
    });
  }

  /** How many ops wait for their answer. */
  get waiting(): number {
    return this.#waiting;
  }

  pump(): void {
    this.#queue.pump();
  }

  /** The server can be used again: what was refused because it could not is sent again. */
  retrySoon(): void {
    this.#queue.retrySoon();
  }

  stop(): void {
    this.#queue.stop();
  }

  all(): readonly QueuedMutation[] {
    return this.#queue.all();
  }

  /** Mutations made after this one that touch the op's record, in order. */
  after(mutation: QueuedMutation, { table, record }: PendingOp): QueuedMutation[] {
    return this.#queue.after(mutation, recordKey(table, record));
  }

  /** Takes ops: shown at once, stored, then sent. One promise for each, in order. */
  submit(
    ops: readonly WireOp[],
    submission: Submission,
  ): { op: PendingOp; outcome: Promise<EditOutcome> }[] {
    const made = splitOps(ops, this.#deps.context().limits).map((chunk) =>
      this.#make(chunk, submission),
    );
    const submitted = made.flatMap(({ ops: list }) =>
      list.map((op) => ({ op, outcome: this.#outcomes.promise(op.ref) })),
    );
    for (const mutation of made) this.add(mutation);
    this.#storeThenSend(made);
    return submitted;
  }

  /**
   * Sends a draft: it is shown under the draft's id until the server has answered. Its creation is undone with its batch, else
   * by itself.
   */
  submitDraft(draft: StoredMutation, batch = this.#deps.clock.newId()): Promise<EditOutcome> {
    const order = this.#nextOrder();
    const stored: StoredMutation = { ...draft, order, refusals: {} };
    const mutation = toQueued(stored, batch);
    const outcomes = mutation.ops.map(({ ref }) => this.#outcomes.promise(ref));
    this.add(mutation);
    this.#storeThenSend([mutation]);
    return outcomes[0] ?? Promise.resolve({ kind: "dropped", record: draft.draft ?? "" });
  }

  #nextOrder(): number {
    this.#lastOrder = Math.max(this.#deps.clock.now() * 1_000, this.#lastOrder + 1);
    return this.#lastOrder;
  }

  #make(ops: WireOp[], { origin, batch }: Submission): QueuedMutation {
    const id = this.#deps.clock.newId();
    const { user, tab } = this.#deps.editStore.owner;
    const order = this.#nextOrder();
    const stored = { id, user, tab, order, ops, atomic: false, origin, refusals: {} };
    return toQueued(stored, batch);
  }

  /** Takes up a stored mutation, to be sent by `pump`. */
  add(mutation: QueuedMutation): void {
    for (const op of mutation.ops) {
      this.#deps.tables.overlay(op.table).add(op);
      if (mutation.batch) this.#deps.journal.submitted(mutation.batch, op);
    }
    this.#queue.add(mutation);
    this.#count(mutation.ops.length);
  }

  #storeThenSend(mutations: readonly QueuedMutation[]): void {
    for (const mutation of mutations) mutation.storing += 1;
    void this.#deps.editStore.put(mutations.map(({ stored }) => stored)).finally(() => {
      for (const mutation of mutations) mutation.storing -= 1;
      this.#queue.pump();
    });
  }

  /** What is submitted from now on comes after `order`. */
  startAfter(order: number): void {
    this.#lastOrder = Math.max(this.#lastOrder, order);
  }

  /** Alters ops of mine on the same record that were made later and not sent yet. */
  amendLater(
    mutation: QueuedMutation,
    op: PendingOp,
    amend: (later: PendingOp, behind: QueuedMutation) => void,
  ): void {
    for (const behind of this.after(mutation, op).filter(({ attempts }) => attempts === 0)) {
      for (const other of behind.ops) {
        if (other.table === op.table && other.record === op.record) amend(other, behind);
      }
      behind.stored = { ...behind.stored, ops: behind.ops.map((other) => other.op) };
      this.#storeThenSend([behind]);
    }
  }

  /** Takes back a mutation that was not answered yet; false while it is under way. */
  withdraw(mutation: QueuedMutation): boolean {
    if (!this.#queue.withdraw(mutation)) return false;
    for (const op of mutation.ops) {
      this.#deps.tables.overlay(op.table).remove(op);
      this.#outcomes.resolve(op.ref, { kind: "dropped", record: op.record });
    }
    this.#count(-mutation.ops.length);
    void this.#deps.editStore.remove([mutation.stored.id]);
    return true;
  }

  #count(more: number): void {
    this.#waiting += more;
    this.#deps.onCounts();
  }
}
