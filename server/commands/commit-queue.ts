import type { Limits } from "../../shared/limits.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { BACKLOG_MIN, type TimeShares } from "../auth/time-shares.ts";
import type { Unit } from "./commit-group.ts";

/** A mutation that waits for its commit. */
export interface QueuedMutation extends Unit {
  /** The user on whose behalf it is made, whatever the credential. */
  user: string;
  /** Size of its ops as JSON. */
  bytes: number;
}

export interface QueueBounds {
  mutations: number;
  bytes: number;
  /** A user's share of each. */
  userMutations: number;
  userBytes: number;
}

/** How large a group may be. */
export interface GroupBounds {
  ops: number;
  /** Ops of one user, where others are active. */
  userOps: number;
}

const RETRY_AFTER_S = 1;

/**
 * Mutations by user, each user's in their order. Users take turns, so that nobody waits for another's backlog. A
 * backlog waits until its user is within their share of the server's time. Mutations held for contended records
 * count as well, until `release`.
 */
export class CommitQueue<Queued extends QueuedMutation> {
  readonly #bounds: QueueBounds;
  readonly #shares: TimeShares;
  /** The user who was served last comes last. */
  readonly #waiting = new Map<string, Queued[]>();
  readonly #sizes = new Map<string, { mutations: number; bytes: number }>();
  #mutations = 0;
  #bytes = 0;

  constructor(bounds: QueueBounds, shares: TimeShares) {
    this.#bounds = bounds;
    this.#shares = shares;
  }

  /** How many mutations are counted: those that wait, and those that are being committed. */
  get size(): number {
    return this.#mutations;
  }

  /** Whether no mutation waits. */
  get isEmpty(): boolean {
    return [...this.#waiting.values()].every((list) => list.length === 0);
  }

  /** Adds a mutation. Throws `rate_limited` if that would exceed a bound. */
  add(queued: Queued): void {
    const { user, bytes } = queued;
    const size = this.#sizes.get(user) ?? { mutations: 0, bytes: 0 };
    const bounds = this.#bounds;
    const isFull =
      this.#mutations >= bounds.mutations ||
      size.mutations >= bounds.userMutations ||
      // A mutation of any size is accepted if nothing else waits.
      (this.#bytes > 0 && this.#bytes + bytes > bounds.bytes) ||
      (size.bytes > 0 && size.bytes + bytes > bounds.userBytes);
    if (isFull) throw new Refusal("rate_limited", { retryAfter: RETRY_AFTER_S });
    this.#count(queued, 1);
    this.#listOf(user).push(queued);
  }

  /** Stops counting an answered mutation. */
  release(queued: Queued): void {
    this.#count(queued, -1);
  }

  /** Withdraws a mutation that was not taken yet; false if it was. */
  withdraw(queued: Queued): boolean {
    const list = this.#waiting.get(queued.user) ?? [];
    const index = list.indexOf(queued);
    if (index >= 0) list.splice(index, 1);
    return index >= 0;
  }

  /** Returns taken mutations to the front of their users' queues, in their order. */
  requeue(taken: readonly Queued[]): void {
    for (const queued of taken.toReversed()) this.#listOf(queued.user).unshift(queued);
  }

  /** The next group: the oldest mutation of each user in turn, as many as fit, at least one; none of users who wait. */
  take({ ops, userOps }: GroupBounds): Queued[] {
    const group: Queued[] = [];
    const opsOf = new Map<string, number>();
    let capacity = ops;
    let users = [...this.#waiting.keys()].filter((user) => this.#delayMs(user) === 0);
    while (users.length) {
      users = users.filter((user) => {
        const list = this.#waiting.get(user) ?? [];
        const next = list[0];
        if (!next) this.#waiting.delete(user);
        if (!next) return false;
        const size = next.mutation.ops.length;
        const own = size + (opsOf.get(user) ?? 0);
        const isTooLarge = size > capacity || (own > userOps && this.#shares.hasOthers(user));
        if (group.length > 0 && isTooLarge) return false;
        list.shift();
        group.push(next);
        capacity -= size;
        opsOf.set(user, own);
        this.#waiting.delete(user);
        if (list.length) this.#waiting.set(user, list);
        return list.length > 0;
      });
    }
    return group;
  }

  /** Milliseconds until one of those who wait for their share may go on; null where nobody does. */
  shortestDelayMs(): number | null {
    const delays = [...this.#waiting]
      .filter(([, list]) => list.length > 0)
      .map(([user]) => this.#delayMs(user));
    return delays.length ? Math.min(...delays) : null;
  }

  #delayMs(user: string): number {
    const { mutations = 0 } = this.#sizes.get(user) ?? {};
    return mutations > BACKLOG_MIN ? this.#shares.delayMs(user) : 0;
  }

  #listOf(user: string): Queued[] {
    const list = this.#waiting.get(user) ?? [];
    this.#waiting.set(user, list);
    return list;
  }

  #count({ user, bytes }: Queued, sign: 1 | -1): void {
    this.#mutations += sign;
    this.#bytes += sign * bytes;
    const size = this.#sizes.get(user) ?? { mutations: 0, bytes: 0 };
    size.mutations += sign;
    size.bytes += sign * bytes;
    if (size.mutations > 0) this.#sizes.set(user, size);
    else this.#sizes.delete(user);
  }
}

/** Most ops in one transaction: it holds row locks and the feed's head. */
const GROUP_MAX_OPS = 1_000;
/** Smallest bound for the part of one user in a group. */
const GROUP_MIN_USER_OPS = 20;

/** How large groups may be, by what they cost; each user pays for their part (time-shares.ts). */
export class GroupSize {
  readonly #shares: TimeShares;
  readonly #limits: Pick<Limits, "COMMIT_GROUP_TARGET_MS">;
  /** Ops of one user in a group, where others are active: as many as take COMMIT_GROUP_TARGET_MS. */
  #userOps = GROUP_MIN_USER_OPS;

  constructor(shares: TimeShares, limits: Pick<Limits, "COMMIT_GROUP_TARGET_MS">) {
    this.#shares = shares;
    this.#limits = limits;
  }

  /** Of the next group. */
  get bounds(): GroupBounds {
    return { ops: GROUP_MAX_OPS, userOps: this.#userOps };
  }

  /** Each user pays for their ops of a group; and the next groups take as many of one user as the time allows. */
  charge(group: readonly QueuedMutation[], ms: number): void {
    const opsOf = new Map<string, number>();
    let ops = 0;
    for (const { user, mutation } of group) {
      opsOf.set(user, (opsOf.get(user) ?? 0) + mutation.ops.length);
      ops += mutation.ops.length;
    }
    for (const [user, own] of opsOf) this.#shares.charge(user, (ms * own) / ops);
    const isSlow = ms > this.#limits.COMMIT_GROUP_TARGET_MS;
    if (isSlow && ops > this.#userOps / 2)
      this.#userOps = Math.max(GROUP_MIN_USER_OPS, this.#userOps / 2);
    if (!isSlow && ops > this.#userOps / 2)
      this.#userOps = Math.min(GROUP_MAX_OPS, this.#userOps * 1.5);
  }
}
