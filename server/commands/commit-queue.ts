import type { Limits } from "../../shared/limits.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { type TimeShares, Turns } from "../load/budget.ts";
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

/** How large a group may be. A mutation is never split: one that is larger is a group of its own. */
export interface GroupBounds {
  ops: number;
  /** Ops of one user, where others are active. */
  userOps: number;
}

const RETRY_AFTER_S = 1;

/**
 * The mutations that wait for a commit, in the turns of the budget (server/load/budget.ts), and taken by groups: a group is what
 * FairQueue has places for. It is bounded in number and bytes as well, for each user and for all. Mutations that are being committed,
 * or are held for contended records, count until `release`.
 */
export class CommitQueue<Queued extends QueuedMutation> {
  readonly #bounds: QueueBounds;
  readonly #shares: TimeShares;
  readonly #turns: Turns<Queued>;
  readonly #bytesOf = new Map<string, number>();
  #mutations = 0;
  #bytes = 0;

  constructor(bounds: QueueBounds, shares: TimeShares) {
    this.#bounds = bounds;
    this.#shares = shares;
    this.#turns = new Turns(shares);
  }

  /** How many mutations are counted: those that wait, and those that are being committed. */
  get size(): number {
    return this.#mutations;
  }

  /** Whether no mutation waits. */
  get isEmpty(): boolean {
    return this.#turns.isEmpty;
  }

  /** Adds a mutation. Throws `rate_limited` if that would exceed a bound. */
  add(queued: Queued): void {
    const { user, bytes } = queued;
    const own = this.#turns.waitingOf(user) + this.#turns.runningOf(user);
    const ownBytes = this.#bytesOf.get(user) ?? 0;
    const bounds = this.#bounds;
    const isFull =
      this.#mutations >= bounds.mutations ||
      own >= bounds.userMutations ||
      // A mutation of any size is accepted if nothing else waits.
      (this.#bytes > 0 && this.#bytes + bytes > bounds.bytes) ||
      (ownBytes > 0 && ownBytes + bytes > bounds.userBytes);
    if (isFull) throw new Refusal("rate_limited", { retryAfter: RETRY_AFTER_S });
    this.#count(queued, 1);
    this.#turns.add(user, queued);
  }

  /** Stops counting an answered mutation: one that was taken or withdrawn. */
  release(queued: Queued): void {
    this.#count(queued, -1);
    this.#turns.done(queued.user);
  }

  /** Withdraws a mutation that was not taken yet; false if it was. */
  withdraw(queued: Queued): boolean {
    return this.#turns.withdraw(queued.user, queued);
  }

  /** Returns taken mutations to the front of their users' queues, in their order. */
  requeue(taken: readonly Queued[]): void {
    for (const queued of taken.toReversed()) this.#turns.requeue(queued.user, queued);
  }

  /** The next group: the oldest mutation of each user in turn, as many as fit, at least one; none of users who wait. */
  take({ ops, userOps }: GroupBounds): Queued[] {
    const opsOf = new Map<string, number>();
    let taken = 0;
    return this.#turns.take((user, { mutation }) => {
      const size = mutation.ops.length;
      const own = size + (opsOf.get(user) ?? 0);
      const isTooLarge = taken + size > ops || (own > userOps && this.#shares.hasOthers(user));
      if (opsOf.size > 0 && isTooLarge) return false;
      taken += size;
      opsOf.set(user, own);
      return true;
    });
  }

  /** Milliseconds until one of those who wait for their share may go on; null where nobody does. */
  shortestDelayMs(): number | null {
    return this.#turns.shortestDelayMs();
  }

  #count({ user, bytes }: Queued, sign: 1 | -1): void {
    this.#mutations += sign;
    this.#bytes += sign * bytes;
    const own = (this.#bytesOf.get(user) ?? 0) + sign * bytes;
    if (own > 0) this.#bytesOf.set(user, own);
    else this.#bytesOf.delete(user);
  }
}

/** Most ops in one transaction: it holds row locks and the feed's head. */
const GROUP_MAX_OPS = 1_000;
/** Smallest bound for the part of one user in a group. */
const GROUP_MIN_USER_OPS = 20;

/**
 * How large groups may be, by what they cost; each user pays for their part. A group has a fixed cost of a flush and two round trips,
 * so its size is not computed from the last one, as that of long work is (`nextPartSize`), but approached.
 */
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
