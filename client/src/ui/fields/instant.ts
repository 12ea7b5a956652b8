/**
 * Days and instants between the wire (ISO 8601, UTC, microseconds kept) and people (their own zone
 * and habits). Anything parsed here is a real calendar day: 31 February is refused, not rolled over.
 */

const shortDate = new Map<string, Intl.DateTimeFormat>();
const shortInstant = new Map<string, Intl.DateTimeFormat>();
const thisYear = new Map<string, Intl.DateTimeFormat>();

function cached(
  store: Map<string, Intl.DateTimeFormat>,
  locale: string | undefined,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = locale ?? "";
  const found = store.get(key) ?? new Intl.DateTimeFormat(locale, options);
  store.set(key, found);
  return found;
}

/** A calendar day as people write it. It has no zone, so none may shift it. */
export function formatDay(day: string, locale?: string): string {
  const at = Date.parse(`${day.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(at)) return day;
  const options = { dateStyle: "medium", timeZone: "UTC" } as const;
  return cached(shortDate, locale, options).format(at);
}

/** An instant in the reader's zone, to the minute; the year is left out while it is this one. */
export function formatInstant(instant: string, locale?: string): string {
  const at = Date.parse(instant);
  if (Number.isNaN(at)) return instant;
  if (new Date(at).getFullYear() === new Date().getFullYear()) {
    const parts = { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" } as const;
    return cached(thisYear, locale, parts).format(at);
  }
  const options = { dateStyle: "medium", timeStyle: "short" } as const;
  return cached(shortInstant, locale, options).format(at);
}

/** An instant as text that spreadsheets and our own parser understand: local, to the second. */
export function localText(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return instant;
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-");
  const seconds = at.getSeconds() === 0 ? "" : `:${two(at.getSeconds())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}${seconds}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

/** `YYYY-MM-DD` from an ISO day, 31.12.2026, or 12/31/2026 in the order of the locale. */
export function parseDay(text: string, locale?: string): string | null {
  const clean = text.trim();
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(clean);
  if (iso) return realDay(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const other = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/.exec(clean);
  if (!other) return null;
  const [first, second, year] = [Number(other[1]), Number(other[3]), Number(other[4])];
  const monthFirst = other[2] === "/" && startsWithMonth(locale);
  return monthFirst ? realDay(year, first, second) : realDay(year, second, first);
}

function startsWithMonth(locale: string | undefined): boolean {
  const parts = new Intl.DateTimeFormat(locale).formatToParts(0);
  return parts.find((part) => part.type === "day" || part.type === "month")?.type === "month";
}

function realDay(year: number, month: number, day: number): string | null {
  const at = new Date(Date.UTC(year, month - 1, day));
  const real = at.getUTCMonth() === month - 1 && at.getUTCDate() === day && year >= 1;
  return real ? `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}` : null;
}

/**
 * ISO instant from an ISO text with zone (its microseconds are kept), or from a day and a time in
 * the reader's zone. A day alone is its midnight.
 */
export function parseInstant(text: string, locale?: string): string | null {
  const clean = text.trim();
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)$/.test(clean)) {
    return Number.isNaN(Date.parse(clean)) || !parseDay(clean.slice(0, 10)) ? null : clean;
  }
  const found = /^(\S+?)(?:[T\s,]+(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?$/.exec(clean);
  const day = found ? parseDay(found[1] as string, locale) : null;
  if (!found || !day) return null;
  const [hours, minutes, seconds] = [found[2], found[3], found[4]].map((part) => Number(part ?? 0));
  if ((hours ?? 0) > 23 || (minutes ?? 0) > 59 || (seconds ?? 0) > 59) return null;
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  return new Date(year, month - 1, date, hours, minutes, seconds).toISOString();
}
