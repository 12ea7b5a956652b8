import type { Clock } from "./clock.ts";

/** One frame of a 60 Hz screen: whatever arrives within it is shown together. */
const TICK_MS = 16;

/** Runs `flush` once for all requests of a tick, so that cost follows time and not the change rate. */
export class Tick {
  readonly #clock: Clock;
  readonly #flush: () => void;
  #cancel: (() => void) | null = null;

  constructor(clock: Clock, flush: () => void) {
    this.#clock = clock;
    this.#flush = flush;
  }

  request(): void {
    this.#cancel ??= this.#clock.after(TICK_MS, () => {
      this.#cancel = null;
      this.#flush();
    });
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}
