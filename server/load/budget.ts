import { setTimeout as sleep } from "node:timers/promises";
import type { Limits } from "../../shared/limits.ts";
import { Refusal } from "../../shared/protocol/errors.ts";

/** Exports of records that a server sends at the same time. */
const EXPORTS_AT_ONCE = 20;
/** Imports that run at the same time. */
const IMPORTS_AT_ONCE = 8;
/** While other users are active: the part of the time that one user's backlog may keep the server busy. */
const TIME_SHARE_PER_USER_PERCENT = 50;
/** How much of it may be used at once. */
const TIME_SHARE_BURST_MS = 250;

/*
 * The budget: what one user may take of a server, and what others meet beside it.
 *
 * A user is an account. Their sessions, sockets and API tokens are one user, whatever the log names as the author: who makes
 * fifty tokens has the share of one.
 *
 * What is promised:
 *
 * - A user who is alone gets all of the server, up to the places below.
 * - While somebody else is active, a backlog of one user (more than BACKLOG_MIN tasks that run or wait) takes at most their share of the
 *   server's time, after a burst. Few tasks never wait for a share. So others meet a server that is busy for others at most half the
 *   time, and their next task waits for at most one of each running task, never for a queue.
 * - A user has so many places, and so many tasks that wait for them. One more is refused with `rate_limited`: what a user
 *   makes this server hold is bounded, and others still find their own places.
 * - Long work (imports, drafts, previews, applies) is done in parts that are so short that others' tasks wait for about the time of a
 *   group commit. All long work of one user together rests for two thirds of the time.
 *
 * How:
 *
 * - `TimeShares` is the one account of time. Whatever a user does is charged to it, in reads and commits alike.
 * - `Turns` is the one order of work: users take turns, each user's work in its order, a backlog waits for its user's share.
 * - `FairQueue` runs tasks in these turns, in a bounded number of places. The queues of the budget are listed in its constructor. The
 *   commit queue (server/commands/commit-queue.ts) takes groups of mutations in such turns, for its one connection.
 * - `doPart` and `nextPartSize` pace long work.
 *
 * The obvious way is a number of requests per second. But what a call costs differs by a factor of a hundred, and a page that opens
 * twelve tiles is no flood. Time is elapsed time: processor time is unknown for what Postgres does. On a busy machine everybody's
 * rate is lower, which is why a few tasks never wait.
 *
 * All of it is per server: a user who floods two servers has two shares. Calls are counted over all servers (rate-limits.ts).
 */

interface ShareBounds {
  /** The part of the server's time, between 0 and 1, that the queued work of one user may take. */
  share: number;
  /** So much of it may be used at once. */
  burstMs: number;
}

interface UsedTime {
  ms: number;
  asOf: number;
}

/** So many tasks of one user may run and wait without being a backlog: a page asks for as many at once. */
export const BACKLOG_MIN = 8;

/** A user counts as active for so long after a call. */
const ACTIVE_MS = 2_000;
/** What was used while nobody else was active is held against a user up to this many bursts. */
const MAX_BURSTS = 4;
const USERS_MAX = 10_000;
const RETRY_AFTER_S = 1;
/** Tasks of a queue that may have given their places to others at the same time. */
const PAUSED_MAX = 8;

/**
 * How much of the server's time each user's work takes. A user alone may use all of it. While another user is active,
 * whoever has used more than their share waits with what they have queued.
 */
export class TimeShares {
  readonly #bounds: ShareBounds;
  /** The clock by which time is charged, in ms. */
  readonly now: () => number;
  readonly #used = new Map<string, UsedTime>();
  /** The user who called last, and the last one before who is somebody else. */
  #latest: { user: string; at: number } | null = null;
  #other: { user: string; at: number } | null = null;

  constructor(bounds: ShareBounds, now: () => number = () => performance.now()) {
    this.#bounds = bounds;
    this.now = now;
  }

  /** To be called with each call of a user. */
  noteActivity(user: string): void {
    if (this.#latest && this.#latest.user !== user) this.#other = this.#latest;
    this.#latest = { user, at: this.now() };
  }

  /** Adds the time that a task of a user took. */
  charge(user: string, ms: number): void {
    const max = this.#bounds.burstMs * MAX_BURSTS;
    const used = Math.min(max, this.#usedBy(user) + ms);
    if (this.#used.size >= USERS_MAX) this.#removeIdle();
    this.#used.set(user, { ms: used, asOf: this.now() });
  }

  /** How long a user's queued work has to wait: 0 within their share, and where nobody else is active. */
  delayMs(user: string): number {
    const excess = this.#usedBy(user) - this.#bounds.burstMs;
    return excess > 0 && this.hasOthers(user) ? excess / this.#bounds.share : 0;
  }

  /**
   * Waits until a user is within their share, or would be but for their further calls: a program that calls all the time
   * delays the same user's import, and does not stop it. Returns whether others are active.
   */
  async untilWithin(user: string): Promise<boolean> {
    const delay = this.delayMs(user);
    if (delay > 0) await sleep(delay);
    return this.hasOthers(user);
  }

  /** Whether a user is about to use up their share while others are active: of a backlog they get one task at a time. */
  isHeavy(user: string): boolean {
    return this.#usedBy(user) > this.#bounds.burstMs / 2 && this.hasOthers(user);
  }

  /** Whether somebody else was active a moment ago. */
  hasOthers(user: string): boolean {
    const other = this.#latest?.user === user ? this.#other : this.#latest;
    return other !== null && this.now() - other.at < ACTIVE_MS;
  }

  /** What was used is forgotten at the rate at which it may be used. */
  #usedBy(user: string): number {
    const used = this.#used.get(user);
    if (!used) return 0;
    return Math.max(0, used.ms - (this.now() - used.asOf) * this.#bounds.share);
  }

  #removeIdle(): void {
    for (const user of this.#used.keys()) if (this.#usedBy(user) === 0) this.#used.delete(user);
  }
}

interface UserWork<Item> {
  waiting: Item[];
  /** Begun and not done. */
  running: number;
}

/**
 * Work that waits, by user, each user's in its order. Users take turns, the one whose turn was longest ago first. With
 * `shares`, a backlog also waits until its user is within their share of the server's time.
 */
export class Turns<Item> {
  readonly #shares: TimeShares | undefined;
  /** Users with work. One whose work was begun or done goes to the end. */
  readonly #users = new Map<string, UserWork<Item>>();
  #waiting = 0;
  #passedOverMs = Number.POSITIVE_INFINITY;

  constructor(shares?: TimeShares) {
    this.#shares = shares;
  }

  /** Whether nothing waits. */
  get isEmpty(): boolean {
    return this.#waiting === 0;
  }

  waitingOf(user: string): number {
    return this.#users.get(user)?.waiting.length ?? 0;
  }

  runningOf(user: string): number {
    return this.#users.get(user)?.running ?? 0;
  }

  isBacklog(user: string): boolean {
    return this.waitingOf(user) + this.runningOf(user) > BACKLOG_MIN;
  }

  add(user: string, item: Item): void {
    this.#of(user).waiting.push(item);
    this.#waiting += 1;
  }

  /** Work that begins without having waited. */
  begin(user: string): void {
    this.#of(user).running += 1;
  }

  /** Work that was begun, or withdrawn, is done. */
  done(user: string): void {
    const work = this.#of(user);
    work.running -= 1;
    this.#users.delete(user);
    if (work.running + work.waiting.length > 0) this.#users.set(user, work);
  }

  /** Work that was begun waits again, before its user's other work. */
  requeue(user: string, item: Item): void {
    const work = this.#of(user);
    work.running -= 1;
    work.waiting.unshift(item);
    this.#waiting += 1;
  }

  /** The same, but all others have their turn first. */
  giveWay(user: string, item: Item): void {
    this.requeue(user, item);
    const work = this.#of(user);
    this.#users.delete(user);
    this.#users.set(user, work);
  }

  /** Takes work that waits out of its turn; it counts as begun. False if it does not wait. */
  withdraw(user: string, item: Item): boolean {
    const work = this.#of(user);
    const index = work.waiting.indexOf(item);
    if (index < 0) return false;
    work.waiting.splice(index, 1);
    work.running += 1;
    this.#waiting -= 1;
    return true;
  }

  /** Begins work in turns: `mayBegin` is asked for the first of each user, again and again until it declines all. */
  take(mayBegin: (user: string, item: Item) => boolean): Item[] {
    const taken: Item[] = [];
    this.#passedOverMs = Number.POSITIVE_INFINITY;
    let users = [...this.#users.keys()].filter((user) => {
      const delay = this.#delayMs(user);
      if (delay > 0) this.#passedOverMs = Math.min(this.#passedOverMs, delay);
      return delay === 0;
    });
    while (users.length > 0) {
      users = users.filter((user) => {
        const work = this.#of(user);
        const [next] = work.waiting;
        if (next === undefined || !mayBegin(user, next)) return false;
        work.waiting.shift();
        work.running += 1;
        this.#waiting -= 1;
        taken.push(next);
        this.#users.delete(user);
        this.#users.set(user, work);
        return work.waiting.length > 0;
      });
    }
    return taken;
  }

  /** Milliseconds until one whom the last `take` passed over for their share may go on; infinite if there was none. */
  get passedOverMs(): number {
    return this.#passedOverMs;
  }

  /** Milliseconds until one of those who wait may go on, as far as shares decide; null where nothing waits. */
  shortestDelayMs(): number | null {
    if (this.isEmpty) return null;
    let shortest = Number.POSITIVE_INFINITY;
    for (const [user, { waiting }] of this.#users) {
      if (waiting.length > 0) shortest = Math.min(shortest, this.#delayMs(user));
    }
    return shortest;
  }

  #delayMs(user: string): number {
    return this.#shares && this.isBacklog(user) ? this.#shares.delayMs(user) : 0;
  }

  #of(user: string): UserWork<Item> {
    const known = this.#users.get(user);
    if (known) return known;
    const work: UserWork<Item> = { waiting: [], running: 0 };
    this.#users.set(user, work);
    return work;
  }
}

export interface QueueBounds {
  /** Tasks that run at the same time, of all users together. */
  parallel: number;
  /** Of these, tasks of one user. */
  perUser: number;
  /** Queued tasks of one user; any further one is rejected with `rate_limited`. */
  waitingPerUser: number;
}

/**
 * Runs tasks in turns, in a bounded number of places. A user who floods it fills only their own queue: a free place goes to the user
 * whose turn was longest ago, so everybody else waits for at most one running task.
 */
export class FairQueue {
  readonly #bounds: QueueBounds;
  readonly #shares: TimeShares | undefined;
  readonly #turns: Turns<() => void>;
  #running = 0;
  /** Tasks that have given way and are not done. What they have found is in memory. */
  #paused = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(bounds: QueueBounds, shares?: TimeShares) {
    this.#bounds = bounds;
    this.#shares = shares;
    this.#turns = new Turns(shares);
  }

  /** Runs a task when it is its turn. A long one calls `giveWay` between its parts, which lets others have the place meanwhile. */
  async run<T>(user: string, task: (giveWay: () => Promise<void>) => Promise<T>): Promise<T> {
    this.#shares?.noteActivity(user);
    const turn = this.#enter(user);
    if (turn) await turn;
    const now = () => (this.#shares ?? performance).now();
    let started = now();
    const giveWay = async () => {
      if (this.#turns.isEmpty || this.#paused >= PAUSED_MAX) return;
      this.#shares?.charge(user, now() - started);
      await this.#waitAgain(user);
      started = now();
    };
    try {
      return await task(giveWay);
    } finally {
      this.#shares?.charge(user, now() - started);
      this.#running -= 1;
      this.#turns.done(user);
      this.#startNext();
    }
  }

  /** Takes a place when it is its turn, until the returned function is called. */
  hold(user: string): Promise<() => void> {
    return new Promise((resolve, reject) => {
      this.run(user, () => new Promise<void>((release) => resolve(release))).catch(reject);
    });
  }

  /** Gives a running task's place to those who wait; resolves when the task has one again, before its user's other tasks. */
  async #waitAgain(user: string): Promise<void> {
    this.#paused += 1;
    this.#running -= 1;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turns.giveWay(user, resolve);
    this.#startNext();
    await promise;
    this.#paused -= 1;
  }

  /** Undefined where the task may start at once. */
  #enter(user: string): Promise<void> | undefined {
    const waiting = this.#turns.waitingOf(user);
    if (waiting === 0 && this.#takePlace(user)) {
      this.#turns.begin(user);
      return undefined;
    }
    if (waiting >= this.#bounds.waitingPerUser) {
      throw new Refusal("rate_limited", { retryAfter: RETRY_AFTER_S });
    }
    return new Promise<void>((resolve) => this.#turns.add(user, resolve));
  }

  /** Starts what may start. Where only shares are in the way, tries again when the first delay is over. */
  #startNext(): void {
    clearTimeout(this.#timer);
    for (const start of this.#turns.take((user) => this.#takePlace(user))) start();
    const { passedOverMs } = this.#turns;
    if (passedOverMs < Number.POSITIVE_INFINITY) {
      this.#timer = setTimeout(() => this.#startNext(), passedOverMs);
    }
  }

  /** False if none is free for this user. */
  #takePlace(user: string): boolean {
    const { parallel, perUser } = this.#bounds;
    const own = this.#turns.isBacklog(user) && this.#shares?.isHeavy(user) ? 1 : perUser;
    if (this.#running >= parallel || this.#turns.runningOf(user) >= own) return false;
    this.#running += 1;
    return true;
  }
}

/**
 * Runs at most `parallel` tasks at once and queues at most `waiting` more, whoever asks. Rejects any further task
 * with `rate_limited`.
 */
export function bounded(parallel: number, waiting: number) {
  const queue = new FairQueue({ parallel, perUser: parallel, waitingPerUser: waiting });
  return <T>(task: () => Promise<T>): Promise<T> => queue.run("", task);
}

/** While others are active, all long work of a user together takes this part of the time: most of others' work finds a gap. */
const PART_OF_TIME = 1 / 3;
/**
 * The longest rest. A part may have spent its time waiting for a lock, which cost others nothing. A user whose rights end
 * during a rest is refused after it, so rest and part together have to fit into a second.
 */
export const REST_MAX_MS = 500;

/** A part of long work that was done. */
export interface DonePart<Result> {
  result: Result;
  /** How long it took, without waiting and rest. */
  ms: number;
  /**
   * What this process computed meanwhile, for others, too, in processor time. That is what others wait for. The rest was waiting for Postgres, or for
   * a busy machine: smaller parts would wait more often, and no shorter.
   */
  cpuMs: number;
  /** Whether others were active. */
  isShared: boolean;
}

/** Bounds of the parts of long work. */
export interface PartBounds {
  /** Units of a part while nobody else is active. */
  most: number;
  /** Units of the first part, and of every one while others are active, unless `most` is less. */
  least: number;
  /** How long a part may take while others are active: about as long their work waits for it. */
  targetMs: number;
}

/** How many units of long work to do together after a part that took so long. */
export function nextPartSize(
  { most, least, targetMs }: PartBounds,
  { units, ms, isShared }: { units: number; ms: number; isShared: boolean },
): number {
  if (!isShared) return most;
  const fitting = Math.floor((targetMs * units) / ms);
  return Math.min(most, Math.max(least, fitting));
}

/** What the users of one server share: its time, and the places of each kind of work. */
export class Budget {
  /** The commit queue charges groups to it; queues without it hold places, but no time of the server. */
  readonly time: TimeShares;
  /** Reads of records, each on a connection. */
  readonly reads: FairQueue;
  /** A download has its place until it ends: its file takes space for as long. */
  readonly exports: FairQueue;
  /** Uploads that are read as they arrive. None waits: its sender would be cut off. */
  readonly imports: FairQueue;
  /** Evaluations of drafts, which give way to others' between their parts. What they have found is in memory. */
  readonly previews = new FairQueue({ parallel: 2, perUser: 1, waitingPerUser: 10 });
  /** Those of so few ops that they take one part: they wait for no large one. */
  readonly smallPreviews = new FairQueue({ parallel: 2, perUser: 1, waitingPerUser: 10 });
  /** Reading the ops of a change set may take long; nobody has all connections for that. */
  readonly changeSets = new FairQueue({ parallel: 3, perUser: 1, waitingPerUser: 100 });
  /** Writing drafts. What large ones read at once is in memory. */
  readonly drafts = new FairQueue({ parallel: 3, perUser: 1, waitingPerUser: 100 });
  /** Parts of long work that are being done or rest, by user. */
  readonly #parts = new Map<string, number>();

  constructor(limits: Limits) {
    this.time = new TimeShares({
      share: TIME_SHARE_PER_USER_PERCENT / 100,
      burstMs: TIME_SHARE_BURST_MS,
    });
    const reads = {
      parallel: limits.READS_AT_ONCE,
      perUser: limits.READS_PER_USER,
      waitingPerUser: limits.READS_WAITING_PER_USER,
    };
    this.reads = new FairQueue(reads, this.time);
    this.exports = new FairQueue({
      parallel: EXPORTS_AT_ONCE,
      perUser: limits.EXPORTS_PER_USER,
      waitingPerUser: limits.EXPORTS_PER_USER,
    });
    this.imports = new FairQueue({
      parallel: IMPORTS_AT_ONCE,
      perUser: limits.IMPORTS_PER_USER,
      waitingPerUser: 0,
    });
  }

  /**
   * Does one part of a user's long work, then rests if `hasOthers` says that others are active. The more parts of one user run
   * at once, the longer each rests.
   */
  async doPart<Result>(
    user: string,
    hasOthers: () => boolean | Promise<boolean>,
    part: () => Promise<Result>,
  ): Promise<DonePart<Result>> {
    this.#countPart(user, 1);
    try {
      const started = performance.now();
      const before = process.threadCpuUsage();
      const result = await part();
      const { user: computed, system } = process.threadCpuUsage(before);
      const ms = performance.now() - started;
      const isShared = await hasOthers();
      const rest = (ms * (this.#parts.get(user) ?? 1)) / PART_OF_TIME - ms;
      if (isShared) await sleep(Math.min(rest, REST_MAX_MS));
      return { result, ms, cpuMs: (computed + system) / 1_000, isShared };
    } finally {
      this.#countPart(user, -1);
    }
  }

  #countPart(user: string, sign: 1 | -1): void {
    const parts = (this.#parts.get(user) ?? 0) + sign;
    if (parts > 0) this.#parts.set(user, parts);
    else this.#parts.delete(user);
  }
}
