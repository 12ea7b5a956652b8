/** Durations are whole seconds, shown as "2d 4h 30m". */

const unitSeconds = { d: 86_400, h: 3_600, m: 60, s: 1 } as const;

/** "1d 2h", "45m", "0s"; at most the two largest units unless `exact`. */
export function formatDuration(seconds: number, exact = false): string {
  let rest = Math.abs(Math.trunc(seconds));
  const parts: string[] = [];
  for (const [unit, size] of Object.entries(unitSeconds)) {
    const count = Math.floor(rest / size);
    if (count > 0) parts.push(`${count}${unit}`);
    rest -= count * size;
  }
  const shown = exact ? parts : parts.slice(0, 2);
  return `${seconds < 0 ? "-" : ""}${shown.join(" ") || "0s"}`;
}
