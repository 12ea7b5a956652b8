import { setTimeout as sleep } from "node:timers/promises";

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

/** The long work of all users of a server, such as imports. */
export class LongWork {
  /** Parts that are being done or rest, by user. */
  readonly #running = new Map<string, number>();

  /**
   * Does one part of a user's work, then rests if `hasOthers` says that others are active. The more parts of one user run
   * at once, the longer each rests.
   */
  async doPart<Result>(
    user: string,
    hasOthers: () => boolean | Promise<boolean>,
    part: () => Promise<Result>,
  ): Promise<DonePart<Result>> {
    this.#count(user, 1);
    try {
      const started = performance.now();
      const result = await part();
      const ms = performance.now() - started;
      const isShared = await hasOthers();
      const rest = (ms * (this.#running.get(user) ?? 1)) / PART_OF_TIME - ms;
      if (isShared) await sleep(Math.min(rest, REST_MAX_MS));
      return { result, ms, isShared };
    } finally {
      this.#count(user, -1);
    }
  }

  #count(user: string, sign: 1 | -1): void {
    const parts = (this.#running.get(user) ?? 0) + sign;
    if (parts > 0) this.#running.set(user, parts);
    else this.#running.delete(user);
  }
}
