import type { LogChange, LogSpan } from "../store/log-change.ts";
import { changeBytes } from "./change-bytes.ts";

/** How much a ring may hold; the first bound reached applies. */
export interface RingBounds {
  changes: number;
  bytes: number;
}

/**
 * The newest changes of one feed on this server, without a gap: everything in (start, seq]. Bounded in number
 * and in bytes; dropped changes are still in the log.
 */
export class FeedRing {
  readonly #max: RingBounds;
  #changes: LogChange[] = [];
  /** Of each change. */
  #sizes: number[] = [];
  #bytes = 0;
  #seq: number;

  constructor(seq: number, max: RingBounds) {
    this.#seq = seq;
    this.#max = max;
  }

  /** The position that this server has reached. */
  get seq(): number {
    return this.#seq;
  }

  /** The position before the oldest change held. */
  get start(): number {
    return this.#seq - this.#changes.length;
  }

  /** Approximate memory of the changes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Appends the new part of a span; null if the span is beyond a gap. */
  append(span: LogSpan): LogChange[] | null {
    if (span.from > this.#seq) return null;
    const fresh = span.changes.slice(this.#seq - span.from);
    if (fresh.length === 0) return fresh;
    for (const change of fresh) {
      const size = changeBytes(change);
      this.#changes.push(change);
      this.#sizes.push(size);
      this.#bytes += size;
    }
    this.#seq = span.to;
    this.#trim();
    return fresh;
  }

  /**
   * Prepends older changes that end where the ring begins, the newest first and no more than its bytes allow;
   * the next `append` may drop them again.
   */
  prepend(older: readonly LogChange[]): void {
    const joining = older.filter(({ seq }) => seq <= this.start);
    if (joining.at(-1)?.seq !== this.start) return;
    const sizes = joining.map(changeBytes);
    let first = joining.length;
    while (first > 0 && this.#bytes + (sizes[first - 1] ?? 0) <= this.#max.bytes) {
      first -= 1;
      this.#bytes += sizes[first] ?? 0;
    }
    this.#changes = [...joining.slice(first), ...this.#changes];
    this.#sizes = [...sizes.slice(first), ...this.#sizes];
  }

  /** The change at a position, if it is held. */
  at(seq: number): LogChange | undefined {
    return this.#changes[seq - this.start - 1];
  }

  /** Everything in (after, seq], or null if the ring does not reach back that far. */
  since(after: number): LogChange[] | null {
    if (after < this.start || after > this.#seq) return null;
    return this.#changes.slice(after - this.start);
  }

  /** Compacted from time to time: moving the arrays at every change would cost more than it saves. */
  #trim(): void {
    const { changes, bytes } = this.#max;
    const excess = this.#changes.length - changes;
    let dropped = excess > changes / 4 ? excess : 0;
    let left = this.#bytes;
    for (let index = 0; index < dropped; index += 1) left -= this.#sizes[index] ?? 0;
    if (left > bytes) {
      for (; left > bytes * 0.75 && dropped < this.#sizes.length; dropped += 1) {
        left -= this.#sizes[dropped] ?? 0;
      }
    }
    if (dropped === 0) return;
    this.#changes = this.#changes.slice(dropped);
    this.#sizes = this.#sizes.slice(dropped);
    this.#bytes = left;
  }
}
