import type { Subscriber } from "./subscriber-group.ts";

const DRAIN_CHECK_MS = 100;
/** A connection counts as drained at this share of the bound. */
const DRAINED_SHARE = 1 / 16;

interface SlowEvents<S> {
  onSlow?: (subscriber: S) => void;
  /** False if it has to wait longer. */
  onDrained: (subscriber: S) => boolean;
}

/**
 * Subscribers whose connection does not keep up. Above the bound nothing more is sent to them, so their buffer can't
 * grow, and nobody waits for them. Once it has drained they are resumed.
 */
export class SlowSubscribers<S extends Subscriber> {
  readonly #maxBytes: number;
  readonly #events: SlowEvents<S>;
  readonly #slow = new Set<S>();
  #timer: NodeJS.Timeout | null = null;

  constructor(maxBytes: number, events: SlowEvents<S>) {
    this.#maxBytes = maxBytes;
    this.#events = events;
  }

  /** Whether a subscriber can be sent more; otherwise it is slow from now on. */
  canReceive(subscriber: S): boolean {
    if (subscriber.peer.bufferedBytes() <= this.#maxBytes) return true;
    this.#slow.add(subscriber);
    this.#timer ??= setInterval(() => this.#check(), DRAIN_CHECK_MS);
    this.#events.onSlow?.(subscriber);
    return false;
  }

  /** It subscribes no more. */
  delete(subscriber: S): void {
    this.#slow.delete(subscriber);
    if (this.#slow.size === 0) this.stop();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  #check(): void {
    for (const subscriber of this.#slow) {
      const isDrained = subscriber.peer.bufferedBytes() <= this.#maxBytes * DRAINED_SHARE;
      if (isDrained && this.#events.onDrained(subscriber)) this.delete(subscriber);
    }
  }
}
