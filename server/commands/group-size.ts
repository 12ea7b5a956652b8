import type { Limits } from "../../shared/limits.ts";
import type { TimeShares } from "../auth/time-shares.ts";
import type { GroupBounds, QueuedMutation } from "./commit-queue.ts";

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
