/** Durations are whole seconds, shown and typed as "2d 4h 30m". */

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

/** Seconds from "1d 2h 3m 4s", "1:30" (hours and minutes), "1:30:15" or a bare number of seconds. */
export function parseDuration(text: string): number | null {
  const clean = text.trim().toLowerCase();
  if (/^\d{1,12}$/.test(clean)) return Number(clean);
  const clock = /^(\d{1,6}):([0-5]\d)(?::([0-5]\d))?$/.exec(clean);
  if (clock) return Number(clock[1]) * 3_600 + Number(clock[2]) * 60 + Number(clock[3] ?? 0);
  const units = /^(?:(\d+)\s*d)?\s*(?:(\d+)\s*h)?\s*(?:(\d+)\s*m)?\s*(?:(\d+)\s*s)?$/.exec(clean);
  if (!units || clean === "") return null;
  const [, d = "0", h = "0", m = "0", s = "0"] = units;
  return Number(d) * 86_400 + Number(h) * 3_600 + Number(m) * 60 + Number(s);
}
