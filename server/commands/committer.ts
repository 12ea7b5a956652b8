import { hash as hashOf } from "node:crypto";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { Limits } from "../../shared/limits.ts";
import { Refusal, unavailable } from "../../shared/protocol/errors.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";
import type { TimeShares } from "../load/budget.ts";
import { ByteWindow } from "../load/byte-window.ts";
import type { CurrentModel } from "../store/current-model.ts";
import type { FinalizedFeed } from "../store/finalized-change.ts";
import { isContention, isUnreachable } from "../store/is-unavailable.ts";
import type { WriteSession } from "../store/write-session.ts";
import type { MutationAnswer } from "./answers.ts";
import { commitAlone } from "./commit-alone.ts";
import { ContendedUnit, commitGroup, mayCommit } from "./commit-group.ts";
import { CommitQueue, GroupSize, type QueuedMutation } from "./commit-queue.ts";
import { ContendedMutations } from "./contended-mutations.ts";
import type { Mutation } from "./op.ts";
import { ReturningWriters } from "./returning-writers.ts";
import { byTables, tableKey, tablesOf, touchedKeys } from "./touched-records.ts";

/** Size of the mutations that may wait for the next commit; and of one user's. */
const COMMIT_QUEUE_MAX_BYTES = 67_108_864;
const COMMIT_QUEUE_USER_MAX_BYTES = 16_777_216;
/** How long the answer to a refused mutation is stored for a repeat. */
export const REFUSAL_KEEP_MS = 600_000;

/*
 * The commit path.
 *
 * A mutation is a list of ops by one author under an id that its client chose. `Committer.commit` answers it: a result for each op,
 * or a refusal of the whole. What is promised:
 *
 * - An edit is answered once Postgres has committed it, together with the answer. So are refusals, as far as their author may have
 *   stored more. A lost answer is found by sending the id again: it never becomes a second edit, nor a refusal an edit.
 *   `unavailable` says that nothing is known: the id may be sent again, too.
 * - Every op is evaluated against the rows that are stored when it is written: they are locked first. Nobody overwrites what they
 *   did not see.
 * - The mutations of one user are committed in the order they were sent. Nobody waits for the backlog of another user, nor for
 *   another program's lock on a record that they don't touch.
 *
 * On its way a mutation passes
 *
 *   commit-queue.ts       users take the turns of the budget (server/load/budget.ts); the queue is bounded; how many ops a group may have
 *   returning-writers.ts  a group waits a moment for those who were just answered
 *   commit-group.ts       one transaction for all of the group, in two round trips: lock and read, then write, number and commit
 *     touched-records.ts    what is to be locked and read
 *     evaluate-op.ts        rights, bases, values and rules of each op, in Node, against
 *     working-set.ts        the locked rows as the ops before it leave them, and
 *     change-history.ts     the log, where an answer names who was faster
 *     answers.ts            what is stored and answered
 *
 * The obvious way is a transaction for each mutation, on a pool of connections. But each transaction costs a flush of the disk and two
 * round trips, and a statement for five records takes little more than for one: an edit alone costs Postgres 880 µs, each of five
 * 240, each of a hundred 60 (docs/adr/0004-group-commit.md). And two edits of one user could overtake each other. So there is one
 * connection, and one group at a time. When idle a mutation is a group of its own and waits for nothing.
 *
 * The price is that a group fails as a whole: Postgres rolls back all of it where one statement fails. The list of parts in
 * `#commitAll` deals with that. It begins with the group, and each part is tried in turn. `#partsAfter` says what remains of a part
 * that failed:
 *
 * - The connection was lost, or the rights of an author changed meanwhile: the part again, a bounded number of times. If it was
 *   committed before the connection broke, the repeat finds its answers.
 * - A lock was not granted in time: the parts by tables, so that only those wait that touch the locked one. These are set aside.
 * - Anything else: its halves, and in the end one mutation by itself (commit-alone.ts), whose refused op is found in the same way.
 * - Postgres can't be reached: nothing. All are answered `unavailable`.
 *
 * Parts get smaller or are tried again a bounded number of times, so the list ends. They are worked off depth first, which keeps each
 * user's order.
 *
 * A record that another program has locked is not waited for: the group skips it (`skip locked`), and its mutation is set aside
 * (contended-mutations.ts). Meanwhile it is tried with patience on a connection of its own, and later mutations of the same record
 * are held behind it.
 */

export interface CommitterOptions {
  session: WriteSession;
  /** Connections of their own for mutations that wait for other programs. */
  contendedSessions: readonly WriteSession[];
  model: CurrentModel;
  limits: Limits;
  /** Who has used up their share of the server's time. */
  shares: TimeShares;
  /** Whether the author of a mutation has the rights under which it was sent. */
  isAsSent: (mutation: Mutation) => Promise<boolean>;
  /** Called after each commit with what it added to the log; wakes the relay. */
  onCommit: (feeds: readonly FinalizedFeed[]) => void;
  /** Reports an unforeseen failure and returns the error to answer. */
  onFailure: (error: unknown) => Refusal;
}

interface Waiting extends QueuedMutation {
  key: string;
  answer: (answer: MutationAnswer) => void;
  answered: Promise<MutationAnswer>;
}

/** Mutations that are to be committed together. */
interface Part {
  group: readonly Waiting[];
  /** How often just this group was tried before. */
  tried: number;
}

/** Attempts at one group whose connection is lost, or of which an author's rights change, each time. */
const ATTEMPTS = 5;

/** Queues mutations and commits them in groups: those that arrive while a commit is in flight share the next one. */
export class Committer {
  readonly #options: CommitterOptions;
  readonly #queue: CommitQueue<Waiting>;
  readonly #contended = new ContendedMutations<Waiting>();
  /** Those that no contended mutation is tried on. */
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
      bytes: COMMIT_QUEUE_MAX_BYTES,
      userMutations: limits.COMMIT_QUEUE_USER_MAX_MUTATIONS,
      userBytes: COMMIT_QUEUE_USER_MAX_BYTES,
    };
    this.#queue = new CommitQueue(bounds, options.shares);
    this.#groupSize = new GroupSize(options.shares, limits);
    this.#refusals = new ByteWindow(REFUSAL_KEEP_MS, limits.REFUSALS_PER_USER_BYTES);
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
    const { promise: answered, resolve: answer } = Promise.withResolvers<MutationAnswer>();
    // A token is its creator: the author in the log is another one, the user is the same.
    const user = mutation.subject.id;
    this.#options.shares.noteActivity(user);
    const storesRefusal = this.#refusals.hasCapacity(user);
    const unit = { mutation, hash, isStale: false, storesRefusal };
    const waiting = { ...unit, key, bytes, user, answer, answered };
    this.#queue.add(waiting);
    this.#inFlight.set(key, waiting);
    this.#returning.noteArrival();
    this.#start();
    return waiting;
  }

  /** The answer, or `unavailable` if it takes too long; a mutation that has not begun by then never begins. */
  async #inTime(waiting: Waiting): Promise<MutationAnswer> {
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
      await this.#commitAll(taken).catch((error) => this.#fail(taken, error));
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

  #answer(waiting: Waiting, answer: MutationAnswer): void {
    if (!this.#inFlight.delete(waiting.key)) return;
    this.#queue.release(waiting);
    waiting.answer(answer);
  }

  /** Commits a group; where it fails, the parts that remain of it, one after the other. Each mutation is answered or set aside. */
  async #commitAll(taken: readonly Waiting[]): Promise<void> {
    const parts: Part[] = [{ group: taken, tried: 0 }];
    for (let part = parts.shift(); part; part = parts.shift()) {
      parts.unshift(...(await this.#commitPart(part)));
    }
  }

  /** Commits a part. Returns what remains of it. */
  async #commitPart({ group: all, tried }: Part): Promise<Part[]> {
    const { session, model } = this.#options;
    const group = await this.#withCurrentRights(all.filter((one) => !this.#isHeldBehind(one)));
    if (group.length === 0) return [];
    const { connection } = session;
    const part = { group, tried: tried + 1 };
    this.#group = group;
    try {
      const done = await commitGroup(group, session, model);
      if (done) {
        this.#committed(done.feeds);
        for (const [index, waiting] of group.entries()) {
          const answer = done.answers[index] as MutationAnswer | ContendedUnit;
          if (answer instanceof ContendedUnit) this.#setAside(waiting, answer.records);
          else this.#answer(waiting, answer);
        }
        return [];
      }
      await session.rollback();
      return this.#again(part);
    } catch (error) {
      await session.rollback();
      const isLost = connection !== null && session.connection !== connection;
      return await this.#partsAfter(part, error, isLost);
    } finally {
      this.#group = [];
    }
  }

  /** What remains of a part that failed. Nothing of it was applied; only where the connection was lost, that is unknown. */
  async #partsAfter(part: Part, error: unknown, isLost: boolean): Promise<Part[]> {
    const { group } = part;
    if (isUnreachable(error)) return isLost ? this.#again(part) : this.#giveUp(group);
    if (group.some(({ isStale }) => isStale)) return this.#again(part);
    if (isContention(error)) {
      const byTable = byTables(group, this.#options.model());
      if (byTable.length > 1) return byTable.map((one) => ({ group: one, tried: 0 }));
      // The lock they wait for is unknown: nothing else is written to these tables meanwhile.
      for (const one of group) this.#setAsideTables(one);
      return [];
    }
    const [one] = group;
    if (one && group.length === 1) {
      const isFree = await this.#commitAlone(one, this.#options.session);
      if (!isFree) this.#setAsideTables(one);
      return [];
    }
    const half = Math.ceil(group.length / 2);
    return [group.slice(0, half), group.slice(half)].map((one) => ({ group: one, tried: 0 }));
  }

  /** The same part once more, unless it was tried too often. */
  #again(part: Part): Part[] {
    return part.tried < ATTEMPTS ? [part] : this.#giveUp(part.group);
  }

  #giveUp(group: readonly Waiting[]): Part[] {
    for (const waiting of group) this.#answer(waiting, unavailable());
    return [];
  }

  /** Those that may still be committed; the others are answered. */
  async #withCurrentRights(group: readonly Waiting[]): Promise<readonly Waiting[]> {
    if (!group.some(({ isStale }) => isStale)) return group;
    const { isAsSent } = this.#options;
    const isCurrent = await Promise.all(group.map((one) => mayCommit(one, isAsSent)));
    this.#giveUp(group.filter((_, index) => !isCurrent[index]));
    return group.filter((_, index) => isCurrent[index]);
  }

  /** Commits one mutation by itself and answers it. False if another program holds a lock that it needs: it is not answered then. */
  async #commitAlone(waiting: Waiting, session: WriteSession): Promise<boolean> {
    const outcome = await commitAlone(waiting, session, this.#options);
    if (outcome === "contended") return false;
    this.#committed(outcome.feeds);
    this.#answer(waiting, outcome.answer);
    return true;
  }

  /** Holds a mutation if it has to wait behind one that was set aside. */
  #isHeldBehind(waiting: Waiting): boolean {
    if (this.#contended.isEmpty) return false;
    const touched = touchedKeys(waiting.mutation, this.#options.model());
    if (!this.#contended.blocks(touched)) return false;
    this.#contended.add(waiting, touched);
    this.#startContended();
    return true;
  }

  #setAside(waiting: Waiting, locked: readonly string[]): void {
    this.#contended.add(waiting, touchedKeys(waiting.mutation, this.#options.model()), locked);
    this.#startContended();
  }

  #setAsideTables(waiting: Waiting): void {
    this.#setAside(waiting, tablesOf(waiting.mutation).map(tableKey));
  }

  #startContended(): void {
    while (this.#freeSessions.length > 0) {
      const waiting = this.#contended.next();
      if (!waiting) return;
      void this.#tryContended(waiting, this.#freeSessions.pop() as WriteSession);
    }
  }

  /** Tries a mutation that was set aside. Those behind it return to the queue once what it waited for is free. */
  async #tryContended(waiting: Waiting, session: WriteSession): Promise<void> {
    let isFree = true;
    try {
      const [current] = await this.#withCurrentRights([waiting]);
      if (current) isFree = await this.#commitAlone(current, session);
      if (!isFree) this.#giveUp([waiting]);
    } catch (error) {
      isFree = false;
      this.#fail([waiting], error);
    }
    this.#freeSessions.push(session);
    const released = this.#contended.remove(waiting, isFree);
    if (released.length) {
      this.#queue.requeue(released);
      this.#start();
    }
    this.#startContended();
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
