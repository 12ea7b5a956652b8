/**
 * Schedules bursts of work: at once when idle, combined when busy. The pause after a run grows with the run's
 * cost, up to `maxPauseMs`. So sending to few costs no latency, and sending to many leaves most of the
 * processor to everything else.
 */
export class AdaptiveThrottle {
  readonly #maxPauseMs: number;
  readonly #work: () => void;
  #timer: NodeJS.Timeout | null = null;
  #pausedUntil = 0;

  constructor(maxPauseMs: number, work: () => void) {
    this.#maxPauseMs = maxPauseMs;
    this.#work = work;
  }

  /** There is something to do. */
  request(): void {
    if (this.#timer) return;
    const wait = this.#pausedUntil - performance.now();
    if (wait <= 0) this.#run();
    else this.#timer = setTimeout(() => this.#run(), wait);
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #run(): void {
    this.stop();
    const started = performance.now();
    this.#work();
    const ended = performance.now();
    this.#pausedUntil = ended + Math.min(this.#maxPauseMs, (ended - started) * PAUSE_PER_COST);
  }
}

/**
 * Rests three times as long as it works: fan-out takes at most a quarter of the processor, until the pause is
 * at its maximum.
 */
const PAUSE_PER_COST = 3;
