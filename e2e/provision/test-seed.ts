/**
 * The seed of a randomised test. Each test states its seed in its title or with a failure, and WATCHFLOOR_SEED repeats it; so it
 * does for properties of fast-check, which print theirs (harness/seeded-properties.ts).
 */
export const givenSeed = parseSeed(process.env.WATCHFLOOR_SEED);

/** The given seed, or else the test's own; by default another one in each run. */
export function testSeed(otherwise = Date.now() % 1_000_000): number {
  return givenSeed ?? otherwise;
}

/** Refuses what is no seed: a run with another seed than the wanted one would show nothing. */
export function parseSeed(text: string | undefined): number | undefined {
  if (!text) return undefined;
  if (!/^-?\d+$/.test(text)) throw new Error(`WATCHFLOOR_SEED must be an integer, not "${text}".`);
  return Number(text);
}
