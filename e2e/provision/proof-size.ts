import { runSeed } from "./test-seed.ts";

/**
 * `npm test` runs a short form of each randomised test, `npm run proof` (which sets WATCHFLOOR_PROOF=1) the
 * long one. Both forms assert the same; only the amounts differ.
 */
export const isFullProof = process.env.WATCHFLOOR_PROOF === "1";

export function proofSize(short: number, full: number): number {
  return isFullProof ? full : short;
}

/** Of cases that each cost much and test the same rule: all in the proof, else one, which the seed of the run chooses. */
export function someCases<T>(cases: readonly T[]): readonly T[] {
  return isFullProof ? cases : cases.filter((_, at) => at === Math.abs(runSeed) % cases.length);
}
