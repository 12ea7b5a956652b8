import { isSignedOut, isTransient, Refusal } from "../../../../shared/protocol/errors.ts";
import type { MutateAnswer, MutateCall, OpResult } from "../../../../shared/protocol/mutate.ts";
import { clientOriginSchema } from "../../../../shared/protocol/record.ts";
import type { StoredMutation } from "../../transport/edit-storage.ts";
import type { Clock } from "../clock.ts";
import { backoffMs, isSentAgain, retryMs } from "../connection/backoff.ts";
import { type PendingOp, recordKey, recordOf, valuesOf } from "./pending-op.ts";

const RETRY = { baseMs: 500, maxMs: 30_000 };
/** Calls under way at once; more would only wait in the server's group commit instead of here. */
const IN_FLIGHT_MAX = 16;
/** How far behind a blocked mutation the next sendable one is looked for. */
const LOOK_AHEAD_MAX = 500;

/** A mutation between its making and its answer. Its content never changes once it was sent. */
export interface QueuedMutation {
  stored: StoredMutation;
  readonly ops: PendingOp[];
  /** The undo entry it belongs to; null for what can't be undone. */
  readonly batch: string | null;
  /** Writes to storage under way: not durable yet, so not to be sent. */
  storing: number;
  isSending: boolean;
  attempts: number;
  /** Not tried again before this time of the steady clock: the machine's may be set back. */
  notBefore: number;
}

export interface QueueDeps {
  clock: Clock;
  send(call: MutateCall): Promise<MutateAnswer>;
  /** The line is up. */
  isReady(): boolean;
  /** The table is caught up with, or nobody follows it. */
  isTableReady(table: string): boolean;
  /** The final result of each op. */
  onAnswered(mutation: QueuedMutation, results: readonly OpResult[]): void;
  /** The server no longer knows the session. */
  onSessionEnded(): void;
  /** An answer could not be entered: a fault of ours, which holds up no other edit. */
  onFailure(error: unknown): void;
}

/**
 * Sends mutations: in the order of their making wherever they touch the same record, side by side
 * where they don't, again and again with the same id until there is an answer. Rules C16-C18.
 */
export class MutationQueue {
  readonly #deps: QueueDeps;
  /** Ascending by `order`. */
  #mutations: QueuedMutation[] = [];
  /** How many mutations in the line touch a record: most of the time the one, and nothing is searched. */
  readonly #touching = new Map<string, number>();
  #inFlight = 0;
  #pausedUntil = 0;
  /** How often the server has said that it can be used again. */
  #recoveries = 0;
  #wake: { at: number; cancel: () => void } | null = null;

  constructor(deps: QueueDeps) {
    this.#deps = deps;
  }

  all(): readonly QueuedMutation[] {
    return [...this.#mutations];
  }

  add(mutation: QueuedMutation): void {
    const { order } = mutation.stored;
    let place = this.#mutations.length;
    while (place > 0 && (this.#mutations[place - 1]?.stored.order ?? 0) > order) place -= 1;
    this.#mutations.splice(place, 0, mutation);
    for (const key of keysOf(mutation)) this.#touching.set(key, this.#touchingCount(key) + 1);
  }

  /** Takes a mutation out that shall not be sent any more; false if it is under way or gone. */
  withdraw(mutation: QueuedMutation): boolean {
    if (mutation.isSending || !this.#mutations.includes(mutation)) return false;
    this.#remove(mutation);
    return true;
  }

  /** Mutations behind this one that touch the record, in order. */
  after(mutation: QueuedMutation, key: string): QueuedMutation[] {
    if (this.#touchingCount(key) < 2) return [];
    const place = this.#mutations.indexOf(mutation);
    return this.#mutations.slice(place + 1).filter((other) => keysOf(other).has(key));
  }

  stop(): void {
    this.#wake?.cancel();
    this.#mutations = [];
  }

  /** Sends what may be sent. Cheap to call whenever something might have changed. */
  pump(): void {
    const { clock } = this.#deps;
    if (!this.#deps.isReady()) return;
    if (clock.steady() < this.#pausedUntil) {
      this.#wakeAt(this.#pausedUntil);
      return;
    }
    const blocked = new Set<string>();
    const creating = new Set<string>();
    for (const mutation of this.#mutations.slice(0, LOOK_AHEAD_MAX)) {
      if (this.#inFlight >= IN_FLIGHT_MAX) return;
      const isFree = !overlaps(keysOf(mutation), blocked) && !linksTo(mutation, creating);
      if (isFree && this.#isDue(mutation)) void this.#send(mutation);
      for (const key of keysOf(mutation)) blocked.add(key);
      for (const { op } of mutation.ops) if (op.op === "create") creating.add(recordOf(op));
    }
  }

  /**
   * What was answered `unavailable` need not wait as long as its backoff says: the server has said that it can be used again. Not all
   * screens come at the same moment.
   */
  retrySoon(): void {
    this.#recoveries += 1;
    for (const mutation of this.#mutations) this.#retrySoon(mutation);
    this.pump();
  }

  #retrySoon(mutation: QueuedMutation): void {
    const { clock } = this.#deps;
    const soon = clock.steady() + backoffMs(0, RETRY, clock);
    mutation.notBefore = Math.min(mutation.notBefore, soon);
  }

  #isDue(mutation: QueuedMutation): boolean {
    if (mutation.isSending || mutation.storing > 0) return false;
    if (!mutation.ops.every(({ table }) => this.#deps.isTableReady(table))) return false;
    if (mutation.notBefore <= this.#deps.clock.steady()) return true;
    this.#wakeAt(mutation.notBefore);
    return false;
  }

  async #send(mutation: QueuedMutation): Promise<void> {
    mutation.isSending = true;
    this.#inFlight += 1;
    const asOf = this.#recoveries;
    const answer = await this.#ask(mutation.stored);
    try {
      if (answer instanceof Refusal) this.#failed(mutation, answer);
      else this.#answered(mutation, answer);
    } catch (error) {
      this.#deps.onFailure(error);
    }
    this.#inFlight -= 1;
    // A refusal that was on its way then says nothing of the server that has recovered.
    if (asOf !== this.#recoveries) this.#retrySoon(mutation);
    this.pump();
  }

  async #ask(stored: StoredMutation): Promise<readonly OpResult[] | Refusal> {
    const { id, atomic, ops } = stored;
    const origin = clientOriginSchema.safeParse(stored.origin).data;
    const call = { id, ops, ...(atomic && { atomic }), ...(origin && { origin }) };
    try {
      return (await this.#deps.send(call)).results;
    } catch (error) {
      return error instanceof Refusal ? error : new Refusal("internal");
    }
  }

  #answered(mutation: QueuedMutation, results: readonly OpResult[]): void {
    const transient = results.find((result) => !result.ok && isTransient(result.error.code));
    if (results.length !== mutation.ops.length) {
      this.#failed(mutation, new Refusal("internal"));
      return;
    }
    if (transient && !transient.ok) {
      this.#retryLater(mutation, transient.error);
      return;
    }
    this.#end(mutation, results);
  }

  /** Removes the mutation even if its handler throws. */
  #end(mutation: QueuedMutation, results: readonly OpResult[]): void {
    try {
      this.#deps.onAnswered(mutation, results);
    } finally {
      this.#remove(mutation);
    }
  }

  #failed(mutation: QueuedMutation, refusal: Refusal): void {
    if (isSignedOut(refusal.code)) {
      mutation.isSending = false;
      this.#deps.onSessionEnded();
      return;
    }
    if (!isSentAgain(refusal.code, mutation.attempts)) {
      const error = refusal.toBody();
      this.#end(
        mutation,
        mutation.ops.map(() => ({ ok: false, error })),
      );
      return;
    }
    const isDisconnected = refusal.detail.lost === true && !this.#deps.isReady();
    this.#retryLater(mutation, refusal.detail, isDisconnected);
    if (refusal.code === "rate_limited") this.#pausedUntil = mutation.notBefore;
  }

  /** Waits for another try; at once after a cut, because the reconnect has waited already. */
  #retryLater(
    mutation: QueuedMutation,
    detail: Readonly<Record<string, unknown>>,
    atOnce = false,
  ): void {
    const { clock } = this.#deps;
    const wait = retryMs(mutation.attempts, detail, RETRY, clock);
    mutation.attempts += 1;
    mutation.isSending = false;
    mutation.notBefore = atOnce ? 0 : clock.steady() + wait;
  }

  #touchingCount(key: string): number {
    return this.#touching.get(key) ?? 0;
  }

  #remove(mutation: QueuedMutation): void {
    this.#mutations = this.#mutations.filter((other) => other !== mutation);
    for (const key of keysOf(mutation)) {
      const left = this.#touchingCount(key) - 1;
      if (left > 0) this.#touching.set(key, left);
      else this.#touching.delete(key);
    }
  }

  #wakeAt(at: number): void {
    if (this.#wake && this.#wake.at <= at) return;
    this.#wake?.cancel();
    const { clock } = this.#deps;
    const cancel = clock.after(Math.max(0, at - clock.steady()), () => {
      this.#wake = null;
      this.pump();
    });
    this.#wake = { at, cancel };
  }
}

/** A stored mutation as the queue holds it. */
export function toQueued(stored: StoredMutation, batch: string | null): QueuedMutation {
  const ops = stored.ops.map((op, index): PendingOp => {
    const ref = { mutation: stored.id, index };
    const record = stored.draft ?? recordOf(op);
    return { ref, table: op.table, record, op, state: { kind: "waiting" } };
  });
  return { stored, ops, batch, storing: 0, isSending: false, attempts: 0, notBefore: 0 };
}

const keys = new WeakMap<QueuedMutation, ReadonlySet<string>>();

function keysOf(mutation: QueuedMutation): ReadonlySet<string> {
  const known = keys.get(mutation);
  if (known) return known;
  const made = new Set(mutation.ops.map(({ table, record }) => recordKey(table, record)));
  keys.set(mutation, made);
  return made;
}

function overlaps(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  if (others.size === 0) return false;
  for (const key of some) if (others.has(key)) return true;
  return false;
}

/** Whether an op links to a record whose create is not answered yet. */
function linksTo(mutation: QueuedMutation, creating: ReadonlySet<string>): boolean {
  if (creating.size === 0) return false;
  return mutation.ops.some(({ op }) =>
    Object.values(valuesOf(op)).some((value) => typeof value === "string" && creating.has(value)),
  );
}
