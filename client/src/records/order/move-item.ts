/** Moves one element up (-1) or down (1), if possible. */
export function moveItem<T>(all: readonly T[], from: number, by: -1 | 1): T[] {
  return moveItemTo(all, from, from + by);
}

/** Moves one element to a place, if it exists. */
export function moveItemTo<T>(all: readonly T[], from: number, to: number): T[] {
  const result = [...all];
  if (to < 0 || to >= all.length) return result;
  result.splice(to, 0, ...result.splice(from, 1));
  return result;
}
