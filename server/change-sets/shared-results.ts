/** How many times as long as it took to make, a result is used again. */
const USED_PER_MS = 10;

/**
 * Results that many callers ask for again and again. Callers with the same key share one, and it is used for ten times as
 * long as it took: making it takes no more than a tenth of the time, however large it is.
 */
export class SharedResults<Result> {
  readonly #results = new Map<string, { result: Promise<Result>; until: number }>();

  get(key: string, make: () => Promise<Result>): Promise<Result> {
    const started = performance.now();
    for (const [other, { until }] of this.#results) {
      if (until <= started) this.#results.delete(other);
    }
    const known = this.#results.get(key);
    if (known) return known.result;
    const shared = { result: make(), until: Number.POSITIVE_INFINITY };
    this.#results.set(key, shared);
    shared.result.then(
      () => {
        const now = performance.now();
        shared.until = now + USED_PER_MS * (now - started);
      },
      () => this.#results.delete(key),
    );
    return shared.result;
  }
}
