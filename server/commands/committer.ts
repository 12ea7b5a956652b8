import { hash as hashOf } from "node:crypto";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { Limits } from "../../shared/limits.ts";
import { Refusal, unavailable } from "../../shared/protocol/errors.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";
import type { TimeShares } from "../auth/time-shares.ts";
import { ByteWindow } from "../load/byte-window.ts";
import type { FinalizedFeed } from "../store/finalized-change.ts";
import { isContention, isUnreachable } from "../store/is-unavailable.ts";
import { withPublishedModel } from "../store/published-model.ts";
import type { WriteSession } from "../store/write-session.ts";
import { mayCommit } from "./author-rights.ts";
import { byTables } from "./by-tables.ts";
import { ContendedUnit, commitGroup, type UnitAnswer } from "./commit-group.ts";
import { CommitQueue, type QueuedMutation } from "./commit-queue.ts";
import { commitWithRetries, type RetryDeps } from "./commit-with-retries.ts";
import { ContendedMutations } from "./contended-mutations.ts";
import { GroupSize } from "./group-size.ts";
import type { Mutation } from "./op.ts";
import { ReturningWriters } from "./returning-writers.ts";
import { tableKey, tablesOf, touchedKeys } from "./touched-keys.ts";

export interface CommitterOptions extends RetryDeps {
  /** Connections of their own for mutations that wait for other programs. */
  contendedSessions: readonly WriteSession[];
  limits: Limits;
  /** Who has used up their share of the server's time. */
  shares: TimeShares;
  /** Called after each commit with what it added to the log; wakes the relay. */
  onCommit: (feeds: readonly FinalizedFeed[]) => void;
}

interface Waiting extends QueuedMutation {
  key: string;
  answer: (answer: UnitAnswer) => void;
  answered: Promise<UnitAnswer>;
}

/**
 * Queues mutations and commits them in groups: those that arrive while a commit is in flight share the next
 * one. When idle a mutation is committed at once. When busy groups grow by themselves, and wait a moment for writers
 * who return at once (returning-writers.ts). Mutations that wait for another program's lock are set aside, so that no
 * other one waits with them.
 */
export class Committer {
  readonly #options: CommitterOptions;
  readonly #queue: CommitQueue<Waiting>;
  readonly #contended: ContendedMutations<Waiting>;
  readonly #freeSessions: WriteSession[];
  readonly #groupSize: GroupSize;
  /** Stored answers to mutations that were refused as a whole. */
  readonly #refusals: ByteWindow;
  readonly #returning = new ReturningWriters(() => this.#queue.size);
  #timer: NodeJS.Timeout | undefined;
  /** What the session is committing. */
  #group: readonly Waiting[] = [];
  #isRunning = false;
  #running: Promise<void> = Promise.resolve();
  /** Pending mutations by author and id: a repeat waits for the same answer. */
  readonly #inFlight = new Map<string, Waiting>();

  constructor(options: CommitterOptions) {
    const { limits } = options;
    this.#options = options;
    this.#freeSessions = [...options.contendedSessions];
    const bounds = {
      mutations: limits.COMMIT_QUEUE_MAX_MUTATIONS,
      bytes: limits.COMMIT_QUEUE_MAX_BYTES,
      userMutations: limits.COMMIT_QUEUE_USER_MAX_MUTATIONS,
      userBytes: limits.COMMIT_QUEUE_USER_MAX_BYTES,
    };
    this.#queue = new CommitQueue(bounds, options.shares);
    this.#groupSize = new GroupSize(options.shares, limits);
    this.#refusals = new ByteWindow(limits.REFUSAL_KEEP_MS, limits.REFUSALS_PER_USER_BYTES);
    this.#contended = new ContendedMutations({
      parallel: options.contendedSessions.length,
      touched: ({ mutation }) => touchedKeys(mutation, options.model()),
      attempt: (waiting) => this.#commitContended(waiting),
      requeue: (released) => {
        this.#queue.requeue(released);
        this.#start();
      },
    });
  }

  /**
   * Commits a mutation and answers each of its ops. Throws `unavailable` if the outcome is unknown (the same
   * id may be sent again), `mutation_mismatch`, or `rate_limited` if too many wait.
   */
  async commit(mutation: Mutation): Promise<OpResult[]> {
    const content = JSON.stringify([mutation.atomic, mutation.ops]);
    const hash = mutation.hash ?? hashOf("sha256", content, "base64url");
    const key = JSON.stringify([mutation.actor, mutation.id]);
    const same = this.#inFlight.get(key);
    if (same && same.hash !== hash) {
      throw new Refusal("mutation_mismatch", { mutation: mutation.id });
    }
    const user = mutation.subject.id;
    const waiting = same ?? this.#enqueue(mutation, { hash, key, bytes: content.length });
    const answer = await this.#inTime(waiting);
    if (answer instanceof Refusal) throw answer;
    // Stored for a repeat, though nothing was written.
    if (!same && waiting.storesRefusal && answer.every(({ ok }) => !ok)) {
      this.#refusals.add(user, JSON.stringify(answer).length);
    }
    return answer;
  }

  /**
   * Rights may have changed: they are looked up before these mutations are committed, and where they did the answer is
   * `unavailable`. A group with one of them is cancelled, because it may be waiting for another program's lock on a table.
   */
  revoke(concerns: (mutation: Mutation) => boolean): void {
    for (const waiting of this.#inFlight.values()) {
      if (concerns(waiting.mutation)) waiting.isStale = true;
    }
    if (this.#group.some(({ isStale }) => isStale)) this.#options.session.cancel();
  }

  /** How many mutations were accepted and not answered yet. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** Resolves when no mutation is being committed; at once where none is. */
  idle(): Promise<void> {
    return this.#isRunning ? this.#running : Promise.resolve();
  }

  /** Waits until everything that was accepted has been answered. */
  async drain(): Promise<void> {
    while (this.#isRunning || !this.#contended.isEmpty || !this.#queue.isEmpty) {
      await this.#running;
      await this.#contended.drained();
      const delay = this.#queue.shortestDelayMs();
      if (delay !== null) await sleep(delay);
    }
    // What was committed has been passed on, too.
    await nextTurn();
  }

  #enqueue(
    mutation: Mutation,
    { hash, key, bytes }: Pick<Waiting, "hash" | "key" | "bytes">,
  ): Waiting {
    const { promise: answered, resolve: answer } = Promise.withResolvers<UnitAnswer>();
    const user = mutation.author.id;
    this.#options.shares.noteActivity(user);
    const storesRefusal = this.#refusals.hasCapacity(mutation.subject.id);
    const unit = { mutation, hash, isStale: false, storesRefusal };
    const waiting = { ...unit, key, bytes, user, answer, answered };
    this.#queue.add(waiting);
    this.#inFlight.set(key, waiting);
    this.#returning.noteArrival();
    this.#start();
    return waiting;
  }

  /** The answer, or `unavailable` if it takes too long; a mutation that has not begun by then never begins. */
  async #inTime(waiting: Waiting): Promise<UnitAnswer> {
    const { promise: late, resolve } = Promise.withResolvers<null>();
    const timer = setTimeout(resolve, this.#options.limits.COMMIT_CALL_TIMEOUT_MS, null);
    const answer = await Promise.race([waiting.answered, late]);
    clearTimeout(timer);
    if (answer) return answer;
    if (this.#queue.withdraw(waiting) || this.#contended.withdraw(waiting)) {
      this.#answer(waiting, unavailable());
    }
    return unavailable();
  }

  #start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#running = this.#run();
  }

  /** Ends when no mutation of the queue may go on: a later one starts it again, and so does the end of the first delay. */
  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    for (;;) {
      const returning = this.#queue.isEmpty ? null : this.#returning.beforeGroup();
      if (returning) await returning;
      const taken = this.#queue.take(this.#groupSize.bounds);
      if (taken.length === 0) break;
      const started = performance.now();
      await this.#commitGroup(taken).catch((error) => this.#fail(taken, error));
      const ms = performance.now() - started;
      this.#groupSize.charge(taken, ms);
      this.#returning.noteGroup(ms);
    }
    this.#isRunning = false;
    const delay = this.#queue.shortestDelayMs();
    if (delay !== null) this.#timer = setTimeout(() => this.#start(), delay);
  }

  /** An unforeseen failure has answered nobody: no mutation may stay pending for ever. */
  #fail(waiting: readonly Waiting[], error: unknown): void {
    const refusal = this.#options.onFailure(error);
    for (const one of waiting) this.#answer(one, refusal);
  }

  #answer(waiting: Waiting, answer: UnitAnswer): void {
    if (!this.#inFlight.delete(waiting.key)) return;
    this.#queue.release(waiting);
    waiting.answer(answer);
  }

  /** Whether a mutation may still be committed; otherwise it is answered. */
  async #isCurrent(waiting: Waiting): Promise<boolean> {
    const isCurrent = await mayCommit(waiting, this.#options);
    if (!isCurrent) this.#answer(waiting, unavailable());
    return isCurrent;
  }

  async #commitGroup(taken: readonly Waiting[]): Promise<void> {
    const free = taken.filter((waiting) => !this.#contended.holdBehind(waiting));
    const isCurrent = await Promise.all(free.map((waiting) => this.#isCurrent(waiting)));
    const group = free.filter((_, index) => isCurrent[index]);
    if (group.length === 0) return;
    const { session, refreshModel } = this.#options;
    const { connection } = session;
    this.#group = group;
    try {
      const commit = () => commitGroup(group, this.#options);
      const undo = () => session.rollback();
      const { answers, feeds } = await withPublishedModel(refreshModel, commit, undo);
      this.#committed(feeds);
      for (const [index, waiting] of group.entries()) {
        const answer = answers[index] as UnitAnswer | ContendedUnit;
        if (answer instanceof ContendedUnit) this.#contended.setAside(waiting, answer.records);
        else this.#answer(waiting, answer);
      }
    } catch (error) {
      await session.rollback();
      const isLost = connection !== null && session.connection !== connection;
      // If it was committed before the connection was lost, the repeat finds its answers.
      if (isLost && isUnreachable(error)) await this.#commitGroup(group);
      else await this.#divide(group, error);
    } finally {
      this.#group = [];
    }
  }

  /** Nothing of the group was applied: its parts are tried until the failing one is found. */
  async #divide(group: readonly Waiting[], error: unknown): Promise<void> {
    const [one] = group;
    if (isUnreachable(error)) {
      for (const waiting of group) this.#answer(waiting, unavailable());
    } else if (group.some(({ isStale }) => isStale)) {
      await this.#commitGroup(group);
    } else if (isContention(error)) {
      const parts = byTables(group, this.#options.model());
      if (parts.length === 1) this.#setAside(group);
      else for (const part of parts) await this.#commitGroup(part);
    } else if (one && group.length === 1) {
      const answer = await this.#commitOne(one, this.#options.session);
      if (answer === "contended") this.#setAside(group);
      else this.#answer(one, answer);
    } else {
      const half = Math.ceil(group.length / 2);
      await this.#commitGroup(group.slice(0, half));
      await this.#commitGroup(group.slice(half));
    }
  }

  /** The lock they wait for is unknown: nothing else is written to these tables meanwhile. */
  #setAside(group: readonly Waiting[]): void {
    for (const waiting of group) {
      this.#contended.setAside(waiting, tablesOf(waiting.mutation).map(tableKey));
    }
  }

  async #commitContended(waiting: Waiting): Promise<boolean> {
    if (!(await this.#isCurrent(waiting))) return true;
    const session = this.#freeSessions.pop() as WriteSession;
    try {
      const answer = await this.#commitOne(waiting, session);
      const isFree = answer !== "contended";
      this.#answer(waiting, isFree ? answer : unavailable());
      return isFree;
    } catch (error) {
      this.#fail([waiting], error);
      return false;
    } finally {
      this.#freeSessions.push(session);
    }
  }

  async #commitOne(waiting: Waiting, session: WriteSession): Promise<UnitAnswer | "contended"> {
    const outcome = await commitWithRetries(waiting, { ...this.#options, session });
    if (outcome === "contended") return outcome;
    this.#committed(outcome.feeds);
    return outcome.answer;
  }

  /**
   * Passes on what was committed, in the next turn of the event loop: after the answers were sent and the next group was
   * begun, so that neither waits for the fan-out. If the process ends before, the relay finds it in the log.
   */
  #committed(feeds: readonly FinalizedFeed[]): void {
    if (feeds.length === 0) return;
    setImmediate(() => {
      try {
        this.#options.onCommit(feeds);
      } catch (error) {
        this.#options.onFailure(error);
      }
    });
  }
}
