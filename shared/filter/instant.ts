import { dayNumber, SECONDS_PER_DAY } from "./calendar-date.ts";

/**
 * Instants to the microsecond. A JavaScript Date has milliseconds, and microseconds since 1970 do not fit a
 * double beyond the year 2255. So an instant is two numbers.
 */
interface Instant {
  seconds: number;
  micros: number;
}

const INSTANT =
  /^(\d{4,7})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(Z|[+-]\d\d(?::?\d\d(?::?\d\d)?)?)( BC)?$/;

/** The widest offset that Postgres accepts is ±15:59:59. */
const MAX_OFFSET_HOURS = 15;

function offsetSeconds(text: string): number | null {
  if (text === "Z") return 0;
  const digits = text.slice(1).replaceAll(":", "");
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2, 4));
  const seconds = Number(digits.slice(4, 6));
  if (hours > MAX_OFFSET_HOURS || minutes > 59 || seconds > 59) return null;
  const size = hours * 3600 + minutes * 60 + seconds;
  return text.startsWith("-") ? -size : size;
}

function secondsOfDay(hour: string, minute: string, second: string): number | null {
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  return Number(hour) * 3600 + Number(minute) * 60 + Number(second);
}

/** An ISO 8601 instant with explicit zone, as stored; null if it is not one. */
export function readInstant(text: string): Instant | null {
  if (text === "infinity") return { seconds: Number.POSITIVE_INFINITY, micros: 0 };
  if (text === "-infinity") return { seconds: Number.NEGATIVE_INFINITY, micros: 0 };
  const match = INSTANT.exec(text);
  if (!match) return null;
  const [, year = "", month = "", day = "", hour = "", minute = "", second = "00"] = match;
  const days = dayNumber(year, month, day, match[9] !== undefined);
  const time = secondsOfDay(hour, minute, second);
  const offset = offsetSeconds(match[8] ?? "");
  if (days === null || time === null || offset === null) return null;
  const micros = Number((match[7] ?? "").padEnd(6, "0"));
  return { seconds: days * SECONDS_PER_DAY + time - offset, micros };
}

export function compareInstants(a: Instant, b: Instant): number {
  if (a.seconds !== b.seconds) return a.seconds < b.seconds ? -1 : 1;
  return a.micros - b.micros;
}

/** Whether a text is an instant with zone in a plain year 0001–9999, as a filter may hold it. */
export function isPlainInstant(text: string): boolean {
  return /^\d{4}-/.test(text) && !text.endsWith("BC") && readInstant(text) !== null;
}
