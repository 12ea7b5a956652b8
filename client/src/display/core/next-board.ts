/** Which board comes next. One that can't be shown is passed over, and never ends the round. */
export function nextBoard(
  boards: readonly string[],
  showing: string | null,
  current: string | null,
): string | null {
  if (showing !== null) return showing;
  const at = current === null ? -1 : boards.indexOf(current);
  return boards[(at + 1) % Math.max(boards.length, 1)] ?? null;
}
