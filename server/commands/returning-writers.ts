/** The part of a group's time for which writers who were just answered are waited for. */
const WAIT_PART = 0.5;
const WAIT_MAX_MS = 10;
/** A group of so many mutations does not wait for more: they share its fixed costs well enough. */
const ENOUGH = 16;
/** Groups in a row, at most, that do not wait because waiting was in vain. */
const SKIPPED_MAX = 16;
/** Weight of the last group in the average time of a group. */
const LAST_WEIGHT = 0.2;

/**
 * Writers who send again as soon as they are answered would share every second group only: they come too late for the
 * next one. So a group waits a moment for as many mutations as were unanswered at once before. It does not wait where
 * nobody was answered a moment ago.
 */
export class ReturningWriters {
  readonly #unanswered: () => number;
  /** Most mutations that were unanswered at once since the last group began. */
  #peak = 0;
  #groupMs = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #waiting: { expected: number; resolve: () => void } | null = null;
  /** Doubles each time that waiting was in vain. */
  #toSkipNext = 0;
  #toSkip = 0;

  constructor(unanswered: () => number) {
    this.#unanswered = unanswered;
  }

  /** A mutation was queued. */
  noteArrival(): void {
    const count = this.#unanswered();
    this.#peak = Math.max(this.#peak, count);
    if (this.#waiting && count >= this.#waiting.expected) this.#waiting.resolve();
  }

  /** A group was answered, which took so long. */
  noteGroup(ms: number): void {
    this.#answeredAt = performance.now();
    this.#groupMs += (ms - this.#groupMs) * LAST_WEIGHT;
  }

  /** To be awaited before a group begins; null if it should begin at once. */
  beforeGroup(): Promise<void> | null {
    const expected = Math.min(this.#peak, ENOUGH);
    const waitMs = Math.min(this.#groupMs * WAIT_PART, WAIT_MAX_MS);
    const leftMs = this.#answeredAt + waitMs - performance.now();
    this.#peak = this.#unanswered();
    if (this.#peak >= expected || leftMs <= 0) return null;
    if (this.#toSkip === 0) return this.#wait(expected, leftMs);
    this.#toSkip -= 1;
    return null;
  }

  async #wait(expected: number, ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting = { expected, resolve };
    const timer = setTimeout(resolve, ms);
    await promise;
    clearTimeout(timer);
    this.#waiting = null;
    const isInVain = this.#unanswered() < expected;
    this.#toSkipNext = isInVain ? Math.min(SKIPPED_MAX, this.#toSkipNext * 2 || 1) : 0;
    this.#toSkip = this.#toSkipNext;
  }
}
