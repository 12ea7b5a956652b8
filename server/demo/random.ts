/** Seeded randomness: the same demo behaves the same, apart from real users. */
export interface Random {
  /** A whole number in [0, below). */
  below(below: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** True with this probability in percent. */
  chance(percent: number): boolean;
}

export function createRandom(seed: number): Random {
  let state = seed;
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return {
    below,
    pick: <Item>(items: readonly Item[]) => items[below(items.length)] as Item,
    chance: (percent) => below(100) < percent,
  };
}
