import { newId } from "./new-id.ts";

/** Time and randomness; tests replace both. */
export interface Clock {
  /** Milliseconds since the epoch, by this machine. */
  now(): number;
  /** Milliseconds that never decrease; they may stop while the machine sleeps. */
  steady(): number;
  /** In [0, 1). */
  random(): number;
  /** A name that nothing else has. */
  newId(): string;
  /** Runs `task` once after `ms`; the answer cancels it. */
  after(ms: number, task: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  random: () => Math.random(),
  newId,
  after(ms, task) {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
};
