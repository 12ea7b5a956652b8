/** TODO */
export function changedProofs(): ReadonlySet<string> {
  return new Set();
}
