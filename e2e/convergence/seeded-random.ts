import { createRandom, type Random } from "../../shared/random.ts";

/** Seeded choices: the same seed makes the same ones, whatever the timing. */
export class SeededRandom {
  readonly next: Random["next"];
  readonly below: Random["below"];
  readonly pick: Random["pick"];

  constructor(seed: number) {
    const { next, below, pick } = createRandom(Math.imul(seed, 0x9e3779b1));
    this.next = next;
    this.below = below;
    this.pick = pick;
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
