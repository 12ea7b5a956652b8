import { Refusal } from "../../shared/protocol/errors.ts";
import { BACKLOG_MIN, type TimeShares } from "./time-shares.ts";

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
 * Shares a scarce resource between users. A user who floods it fills only their own queue: a free slot
 * goes to the user whose turn was longest ago, so everybody else waits for at most one running task. With `shares`,
 * a backlog also waits until its user is within their share of the server's time.
 */
export class FairQueue {
  readonly #bounds: QueueBounds;
  readonly #shares: TimeShares | undefined;
  /** Users with tasks. One who has just finished a task goes to the end. */
  readonly #users = new Map<string, UserTasks>();
  #running = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(bounds: QueueBounds, shares?: TimeShares) {
    this.#bounds = bounds;
    this.#shares = shares;
  }

  /** Runs a task when it is its turn. */
  async run<T>(user: string, task: () => Promise<T>): Promise<T> {
    this.#shares?.noteActivity(user);
    const turn = this.#enter(user);
    if (turn) await turn;
    const started = performance.now();
    try {
      return await task();
    } finally {
      this.#shares?.charge(user, performance.now() - started);
      this.#leave(user);
    }
  }

  /** Takes a place when it is its turn, until the returned function is called. */
  hold(user: string): Promise<() => void> {
    return new Promise((resolve, reject) => {
      this.run(user, () => new Promise<void>((release) => resolve(release))).catch(reject);
    });
  }

  /** Undefined where the task may start at once. */
  #enter(user: string): Promise<void> | undefined {
    const tasks = this.#users.get(user) ?? { running: 0, waiting: [] };
    this.#users.set(user, tasks);
    if (tasks.waiting.length === 0 && this.#hasSlot(user, tasks)) {
      this.#start(tasks);
      return undefined;
    }
    if (tasks.waiting.length >= this.#bounds.waitingPerUser) {
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

  /** Starts what may start. Where only shares are in the way, tries again when the first delay is over. */
  #startNext(): void {
    clearTimeout(this.#timer);
    let shortest = Number.POSITIVE_INFINITY;
    for (const [user, tasks] of this.#users) {
      while (tasks.waiting.length > 0 && this.#hasSlot(user, tasks)) {
        const delay = this.#isFlood(tasks) ? (this.#shares?.delayMs(user) ?? 0) : 0;
        if (delay > 0) {
          shortest = Math.min(shortest, delay);
          break;
        }
        this.#start(tasks);
        tasks.waiting.shift()?.();
      }
    }
    if (shortest < Number.POSITIVE_INFINITY) {
      this.#timer = setTimeout(() => this.#startNext(), shortest);
    }
  }

  #hasSlot(user: string, tasks: UserTasks): boolean {
    const { parallel, perUser } = this.#bounds;
    const own = this.#isFlood(tasks) && this.#shares?.isHeavy(user) ? 1 : perUser;
    return this.#running < parallel && tasks.running < own;
  }

  #isFlood({ running, waiting }: UserTasks): boolean {
    return running + waiting.length > BACKLOG_MIN;
  }

  #start(tasks: UserTasks): void {
    this.#running += 1;
    tasks.running += 1;
  }
}

/**
 * Runs at most `parallel` tasks at once and queues at most `waiting` more. Rejects any further task
 * with `rate_limited`.
 */
export function bounded(parallel: number, waiting: number) {
  const queue = new FairQueue({ parallel, perUser: parallel, waitingPerUser: waiting });
  return <T>(task: () => Promise<T>): Promise<T> => queue.run("", task);
}
