import { createRandom } from "../../../../shared/random.ts";
import type { Clock } from "../clock.ts";

interface Timer {
  at: number;
  order: number;
  task: () => void;
}

/** A clock that moves only by `advance()`; promises resolve between its timers. */
export class FakeClock implements Clock {
  readonly random: () => number;
  readonly #timers = new Set<Timer>();
  #now = Date.UTC(2026, 10, 21, 4);
  #order = 0;
  #ids = 0;
  #setBy = 0;

  constructor(seed: number) {
    this.random = createRandom(seed).next;
  }

  now(): number {
    return this.#now + this.#setBy;
  }

  steady(): number {
    return this.#now;
  }

  after(ms: number, task: () => void): () => void {
    this.#order += 1;
    const timer = { at: this.#now + ms, order: this.#order, task };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  newId(): string {
    this.#ids += 1;
    return `id-${Math.floor(this.random() * 1e9).toString(36)}-${this.#ids}`;
  }

  /** Somebody sets the machine's clock; what was planned comes when it was planned. */
  setBy(ms: number): void {
    this.#setBy += ms;
  }

  get pending(): number {
    return this.#timers.size;
  }

  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await flushPromises();
    for (let next = this.#next(until); next; next = this.#next(until)) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.task();
      await flushPromises();
    }
    this.#now = until;
  }

  #next(until: number): Timer | null {
    let first: Timer | null = null;
    for (const timer of this.#timers) {
      if (timer.at > until) continue;
      const isSooner = !first || timer.at < first.at;
      if (isSooner || (timer.at === first?.at && timer.order < first.order)) first = timer;
    }
    return first;
  }
}

/** Lets every promise resolve that can. */
async function flushPromises(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await Promise.resolve();
}
