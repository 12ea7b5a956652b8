import type { LogChange, LogSpan } from "../store/log-change.ts";

/**
 * The newest changes of one feed that this node has seen, without hole: everything in (start, seq].
 * Bounded; what falls out is still in the log.
 */
export class FeedRing {
  readonly #max: number;
  #changes: LogChange[] = [];
  #seq: number;

  constructor(seq: number, maxChanges: number) {
    this.#seq = seq;
    this.#max = maxChanges;
  }

  /** The position that this node has reached. */
  get seq(): number {
    return this.#seq;
  }

  /** The position before the oldest change kept. */
  get start(): number {
    return this.#seq - this.#changes.length;
  }

  /** Takes what is new of a span; null where the span lies beyond a hole. */
  append(span: LogSpan): LogChange[] | null {
    if (span.from > this.#seq) return null;
    const fresh = span.changes.slice(this.#seq - span.from);
    if (fresh.length === 0) return fresh;
    for (const change of fresh) this.#changes.push(change);
    this.#seq = span.to;
    this.#trim();
    return fresh;
  }

  /** Takes older changes that end where the ring begins; the next `append` may drop them again. */
  prepend(older: LogChange[]): void {
    const joining = older.filter(({ seq }) => seq <= this.start);
    if (joining.at(-1)?.seq === this.start) this.#changes = [...joining, ...this.#changes];
  }

  /** Everything in (after, seq], or null where the ring does not reach back so far. */
  since(after: number): LogChange[] | null {
    if (after < this.start || after > this.#seq) return null;
    return this.#changes.slice(after - this.start);
  }

  /** In one go now and then: moving the array at every change would cost more than it keeps. */
  #trim(): void {
    const excess = this.#changes.length - this.#max;
    if (excess > this.#max / 4) this.#changes = this.#changes.slice(excess);
  }
}
