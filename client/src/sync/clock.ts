import { newId } from "./new-id.ts";

/** Time and chance, so that a test can hold both in its hand. */
export interface Clock {
  /** Milliseconds since the epoch, by this machine. */
  now(): number;
  /** Milliseconds that only ever go on; they may stand still while the machine sleeps. */
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
