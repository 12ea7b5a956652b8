import { Refusal } from "../../shared/protocol/errors.ts";
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

const RETRY_AFTER_S = 1;

/**
 * Mutations by user, each user's in their order. Users take turns, so that nobody waits for another's
 * backlog. Mutations held for contended records count as well, until `release`.
 */
export class CommitQueue<Queued extends QueuedMutation> {
  readonly #bounds: QueueBounds;
  /** The user who was served last comes last. */
  readonly #waiting = new Map<string, Queued[]>();
  readonly #sizes = new Map<string, { mutations: number; bytes: number }>();
  #mutations = 0;
  #bytes = 0;

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds;
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

  /** The next group: the oldest mutation of each user in turn, as many as fit, at least one. */
  take(maxOps: number): Queued[] {
    const group: Queued[] = [];
    let capacity = maxOps;
    let users = [...this.#waiting.keys()];
    while (users.length) {
      users = users.filter((user) => {
        const list = this.#waiting.get(user) ?? [];
        const next = list[0];
        if (!next) this.#waiting.delete(user);
        if (!next || (group.length > 0 && next.mutation.ops.length > capacity)) return false;
        list.shift();
        group.push(next);
        capacity -= next.mutation.ops.length;
        this.#waiting.delete(user);
        if (list.length) this.#waiting.set(user, list);
        return list.length > 0;
      });
    }
    return group;
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
