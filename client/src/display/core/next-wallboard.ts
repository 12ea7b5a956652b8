/** Which wallboard comes next. One that can't be shown is passed over, and never ends the round. */
export function nextWallboard(
  wallboards: readonly string[],
  showing: string | null,
  current: string | null,
): string | null {
  if (showing !== null) return showing;
  const at = current === null ? -1 : wallboards.indexOf(current);
  return wallboards[(at + 1) % Math.max(wallboards.length, 1)] ?? null;
}
