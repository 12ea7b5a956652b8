/** Messages are counted over this time: a burst is fine, a flood is not. */
const WINDOW_S = 10;

/** Allows `perSecond` on average over ten seconds. */
export class TokenBucket {
  readonly #perSecond: number;
  #tokens: number;
  #filledAt = performance.now();

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#tokens = perSecond * WINDOW_S;
  }

  /** 0 if one more is allowed, otherwise the seconds to wait. */
  take(): number {
    const now = performance.now();
    const filled = this.#tokens + ((now - this.#filledAt) / 1_000) * this.#perSecond;
    this.#tokens = Math.min(filled, this.#perSecond * WINDOW_S);
    this.#filledAt = now;
    if (this.#tokens < 1) return Math.max(1, Math.ceil((1 - this.#tokens) / this.#perSecond));
    this.#tokens -= 1;
    return 0;
  }
}
