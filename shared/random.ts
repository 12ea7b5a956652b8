/** Seeded randomness (mulberry32): the same seed, the same choices. */
export interface Random {
  /** From 0 up to, but not including, 1. */
  next(): number;
  /** A whole number in [0, bound). */
  below(bound: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** True with this probability in percent. */
  chance(percent: number): boolean;
}

/** Small and good enough for demos and tests, not for secrets. */
export function createRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    next,
    below,
    pick: <Item>(items: readonly Item[]) => items[below(items.length)] as Item,
    chance: (percent) => below(100) < percent,
  };
}
