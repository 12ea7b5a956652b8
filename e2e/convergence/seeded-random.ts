/** Seeded choices (mulberry32): the same seed makes the same ones, whatever the timing. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed, 0x9e3779b1) >>> 0;
  }

  /** From 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  pick<T>(of: readonly T[]): T {
    return of[this.below(of.length)] as T;
  }

  /** One of several, each with its weight. */
  draw<T>(weighted: readonly (readonly [number, T])[]): T {
    let ticket = this.next() * weighted.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, what] of weighted) {
      ticket -= weight;
      if (ticket < 0) return what;
    }
    return (weighted[0] as readonly [number, T])[1];
  }
}
