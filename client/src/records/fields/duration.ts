import { readNumber } from "../../../../shared/read-number.ts";
import { localMark } from "./number-text.ts";

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

const AMOUNT = "(\\d[\\d.,'’]*)";
const UNITS = new RegExp(
  `^${["d", "h", "m", "s"].map((unit) => `(?:${AMOUNT}\\s*${unit})?`).join("\\s*")}$`,
);

/** Seconds from "1d 2h 3m 4s", "1.5h", "1:30" (hours and minutes), "1:30:15" or a bare number of seconds; with a minus before it. */
export function parseDuration(text: string, decimalMark = localMark()): number | null {
  const clean = text.trim().toLowerCase();
  const [, minus = "", rest = ""] = /^([-\u2212]?)\s*(.*)$/.exec(clean) ?? [];
  const seconds = secondsOf(rest, decimalMark);
  return minus === "" || !seconds ? seconds : -seconds;
}

function secondsOf(text: string, decimalMark: string): number | null {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  const clock = /^(\d{1,6}):([0-5]\d)(?::([0-5]\d))?$/.exec(text);
  if (clock) return Number(clock[1]) * 3_600 + Number(clock[2]) * 60 + Number(clock[3] ?? 0);
  const amounts = text === "" ? null : UNITS.exec(text)?.slice(1);
  if (!amounts) return null;
  const sizes = Object.values(unitSeconds);
  const seconds = amounts.reduce((sum, amount, unit) => {
    const count = amount === undefined ? "0" : readNumber(amount, decimalMark);
    return sum + (count === null ? Number.NaN : Number(count)) * (sizes[unit] ?? 0);
  }, 0);
  const whole = Math.round(seconds);
  return Math.abs(seconds - whole) < 0.001 ? whole : null;
}
