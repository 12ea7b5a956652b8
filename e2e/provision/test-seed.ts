/**
 * The seed of a run, from which every randomised test derives its history. By default each run draws another one; `npm test` prints
 * it at its beginning and end, failed tests state the seed that repeats them, and WATCHFLOOR_SEED sets it. So do properties of fast-check
 * (harness/seeded-properties.ts), and the choice of the Postgres version (databases.ts).
 */
const SEEDS = 1_000_000;

/** The seed of this run, in every worker the same. */
export const runSeed = resolveSeed();

/** The seed that was given, or a new one. */
function resolveSeed(): number {
  return parseSeed(process.env.WATCHFLOOR_SEED) ?? Math.floor(Math.random() * SEEDS);
}

/** Refuses what is no seed: a run with another seed than the wanted one would show nothing. */
export function parseSeed(text: string | undefined): number | undefined {
  if (!text) return undefined;
  if (!/^-?\d+$/.test(text)) throw new Error(`WATCHFLOOR_SEED must be an integer, not "${text}".`);
  return Number(text);
}
