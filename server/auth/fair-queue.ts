import { Refusal } from "../../shared/protocol/errors.ts";

export interface QueueBounds {
  /** Tasks that run at the same time, of all users together. */
  parallel: number;
  /** Of these, tasks of one user. */
  perUser: number;
  /** Queued tasks of one user; any further one is rejected with `rate_limited`. */
  waitingPerUser: number;
}

interface UserTasks {
  running: number;
  waiting: (() => void)[];
}

const RETRY_AFTER_S = 1;

/**
 * Shares a scarce resource between users. A user who floods it fills only their own queue: a free slot goes
 * to the user whose turn was longest ago, so everybody else waits for at most one running task.
 */
export class FairQueue {
  readonly #bounds: QueueBounds;
  /** Users with tasks. One who has just finished a task goes to the end. */
  readonly #users = new Map<string, UserTasks>();
  #running = 0;

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds;
  }

  /** Runs a task when it is its turn. */
  async run<T>(user: string, task: () => Promise<T>): Promise<T> {
    const turn = this.#enter(user);
    if (turn) await turn;
    try {
      return await task();
    } finally {
      this.#leave(user);
    }
  }

  /** Undefined where the task may start at once. */
  #enter(user: string): Promise<void> | undefined {
    const tasks = this.#users.get(user) ?? { running: 0, waiting: [] };
    this.#users.set(user, tasks);
    const { parallel, perUser, waitingPerUser } = this.#bounds;
    if (this.#running < parallel && tasks.running < perUser) {
      this.#start(tasks);
      return undefined;
    }
    if (tasks.waiting.length >= waitingPerUser) {
      throw new Refusal("rate_limited", { retryAfter: RETRY_AFTER_S });
    }
    return new Promise<void>((resolve) => tasks.waiting.push(resolve));
  }

  #leave(user: string): void {
    const tasks = this.#users.get(user);
    if (!tasks) return;
    this.#running -= 1;
    tasks.running -= 1;
    this.#users.delete(user);
    if (tasks.running + tasks.waiting.length > 0) this.#users.set(user, tasks);
    this.#startNext();
  }

  #startNext(): void {
    for (const tasks of this.#users.values()) {
      if (tasks.running >= this.#bounds.perUser) continue;
      const next = tasks.waiting.shift();
      if (!next) continue;
      this.#start(tasks);
      next();
      return;
    }
  }

  #start(tasks: UserTasks): void {
    this.#running += 1;
    tasks.running += 1;
  }
}
