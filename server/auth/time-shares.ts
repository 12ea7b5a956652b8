import { setTimeout as sleep } from "node:timers/promises";

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

/** So many tasks of one user may be under way and waiting without counting as a flood: a page asks for as many at once. */
export const BACKLOG_MIN = 8;

/** A user counts as active for so long after a call. */
const ACTIVE_MS = 2_000;
/** What was used while nobody else was active is held against a user up to this many bursts. */
const MAX_BURSTS = 4;
const USERS_MAX = 10_000;

/**
 * How much of the server's time each user's work takes. A user alone may use all of it. While another user is active,
 * whoever has used more than their share waits with what they have queued. One instance is shared by all queues, so a
 * user has one share, whatever they do.
 */
export class TimeShares {
  readonly #bounds: ShareBounds;
  readonly #now: () => number;
  readonly #used = new Map<string, UsedTime>();
  /** The user who called last, and the last one before who is somebody else. */
  #latest: { user: string; at: number } | null = null;
  #other: { user: string; at: number } | null = null;

  constructor(bounds: ShareBounds, now: () => number = () => performance.now()) {
    this.#bounds = bounds;
    this.#now = now;
  }

  /** To be called with each call of a user. */
  noteActivity(user: string): void {
    if (this.#latest && this.#latest.user !== user) this.#other = this.#latest;
    this.#latest = { user, at: this.#now() };
  }

  /** Adds the time that a task of a user took. */
  charge(user: string, ms: number): void {
    const max = this.#bounds.burstMs * MAX_BURSTS;
    const used = Math.min(max, this.#usedBy(user) + ms);
    if (this.#used.size >= USERS_MAX) this.#removeIdle();
    this.#used.set(user, { ms: used, asOf: this.#now() });
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

  /** Whether a user is about to use up their share while others are active: they get one task at a time. */
  isHeavy(user: string): boolean {
    return this.#usedBy(user) > this.#bounds.burstMs / 2 && this.hasOthers(user);
  }

  /** Whether somebody else was active a moment ago. */
  hasOthers(user: string): boolean {
    const other = this.#latest?.user === user ? this.#other : this.#latest;
    return other !== null && this.#now() - other.at < ACTIVE_MS;
  }

  /** What was used is forgotten at the rate at which it may be used. */
  #usedBy(user: string): number {
    const used = this.#used.get(user);
    if (!used) return 0;
    return Math.max(0, used.ms - (this.#now() - used.asOf) * this.#bounds.share);
  }

  #removeIdle(): void {
    for (const user of this.#used.keys()) if (this.#usedBy(user) === 0) this.#used.delete(user);
  }
}
