/**
 * `npm test` runs a short form of each randomised test, `npm run proof` (which sets WATCHFLOOR_PROOF=1) the
 * long one. Both forms assert the same; only the amounts differ.
 */
export const isFullProof = process.env.WATCHFLOOR_PROOF === "1";

export function proofSize(short: number, full: number): number {
  return isFullProof ? full : short;
}
