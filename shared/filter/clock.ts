import { memoize } from "../memoize.ts";

/**
 * Instants written in the wall clock of a zone: `2026-11-21T06:00:00.000+01:00`. The text contains both the
 * instant and the calendar day, so that one bound value serves timestamp and date fields.
 */

const MS_PER_MINUTE = 60_000;
const MS_PER_HOUR = 3_600_000;
const DAY_LENGTH = 10;

const formatFor = memoize(
  (timeZone: string) =>
    new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    }),
);

/** The offset of the zone's wall clock from UTC at an instant, in full minutes. */
function offsetMs(instantMs: number, zone: string): number {
  if (zone === "UTC") return 0;
  const parts: Record<string, number> = {};
  for (const { type, value } of formatFor(zone).formatToParts(instantMs)) {
    parts[type] = Number(value);
  }
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const localTime = Date.UTC(year, month - 1, day, hour, minute, second);
  return Math.round((localTime - instantMs) / MS_PER_MINUTE) * MS_PER_MINUTE;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

/** The instant as ISO 8601 in the zone's own offset. */
export function writeInstant(instantMs: number, zone: string): string {
  const offset = offsetMs(instantMs, zone);
  const localTime = new Date(instantMs + offset).toISOString();
  if (offset === 0) return localTime;
  const minutes = Math.abs(offset) / MS_PER_MINUTE;
  const sign = offset < 0 ? "-" : "+";
  return `${localTime.slice(0, -1)}${sign}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

/**
 * The first instant of the calendar day in the zone. If summer time skips midnight, the day starts later; if
 * it repeats midnight, it starts at the first of the two.
 */
export function writeStartOfDay(instantMs: number, zone: string): string {
  const day = writeInstant(instantMs, zone).slice(0, DAY_LENGTH);
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const candidates = [-24, 24].map(
    (hours) => midnight - offsetMs(midnight + hours * MS_PER_HOUR, zone),
  );
  const starts = candidates
    .map((candidate) => writeInstant(candidate, zone))
    .filter((text) => text.startsWith(day))
    .sort((a, b) => Date.parse(a) - Date.parse(b));
  return starts[0] ?? writeInstant(midnight, zone);
}
