const KEEP_MS = 1_000;
const KEEP_MAX = 20_000;

/**
 * Who is behind a credential is asked by every request and every handshake, so answers are kept for a second.
 * What is forgotten while it is being asked for is not kept: after a revocation no answer from before it is given.
 */
export class KeptAnswers<T> {
  readonly #kept = new Map<string, { answer: Promise<T>; until: number }>();

  /** The answer that is known, else the one that is asked for now. A failure is not kept. */
  get(key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#kept.get(key);
    if (known && known.until > Date.now()) return known.answer;
    const answer = ask();
    if (this.#kept.size >= KEEP_MAX) this.#kept.clear();
    this.#kept.set(key, { answer, until: Date.now() + KEEP_MS });
    answer.catch(() => this.#kept.delete(key));
    return answer;
  }

  forget(key: string): void {
    this.#kept.delete(key);
  }

  forgetAll(): void {
    this.#kept.clear();
  }
}
