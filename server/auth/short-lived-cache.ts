const DEFAULT_TTL_MS = 1_000;
const ENTRIES_MAX = 20_000;

/**
 * Every request and handshake looks up its credential, so results are cached for a second. A result that is
 * invalidated during its look-up is not cached: after a revocation no earlier result is returned.
 */
export class ShortLivedCache<T> {
  readonly #entries = new Map<string, { answer: Promise<T>; until: number }>();
  readonly #ttlMs: number;

  constructor(ttlMs = DEFAULT_TTL_MS) {
    this.#ttlMs = ttlMs;
  }

  /** The cached result, else a new look-up. A failure is not cached. */
  get(key: string, load: () => Promise<T>): Promise<T> {
    const known = this.#entries.get(key);
    // Not by the clock, which may be set back.
    if (known && known.until > performance.now()) return known.answer;
    const answer = load();
    if (this.#entries.size >= ENTRIES_MAX) this.#entries.clear();
    this.#entries.set(key, { answer, until: performance.now() + this.#ttlMs });
    answer.catch(() => this.#entries.delete(key));
    return answer;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}
