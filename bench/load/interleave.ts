/**
 * Alternates two kinds of rounds, A B A B, so that other load affects both. The first of each warms up and is
 * discarded.
 */
export async function interleave<A, B>(
  rounds: number,
  a: () => Promise<A>,
  b: () => Promise<B>,
): Promise<{ a: A[]; b: B[] }> {
  const results: { a: A[]; b: B[] } = { a: [], b: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const [one, other] = [await a(), await b()];
    if (round === 0) continue;
    results.a.push(one);
    results.b.push(other);
  }
  return results;
}
