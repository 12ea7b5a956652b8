const TTL_MS = 1_000;
const ENTRIES_MAX = 20_000;

/**
 * Who is behind a credential is asked by every request and every handshake, so answers are kept for a second.
 * What is forgotten while it is being asked for is not kept: after a revocation no answer from before it is given.
 */
export class ShortLivedCache<T> {
  readonly #entries = new Map<string, { answer: Promise<T>; until: number }>();

  /** The answer that is known, else the one that is asked for now. A failure is not kept. */
  get(key: string, load: () => Promise<T>): Promise<T> {
    const known = this.#entries.get(key);
    if (known && known.until > Date.now()) return known.answer;
    const answer = load();
    if (this.#entries.size >= ENTRIES_MAX) this.#entries.clear();
    this.#entries.set(key, { answer, until: Date.now() + TTL_MS });
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
