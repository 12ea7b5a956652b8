import { memoize } from "../../../../shared/memoize.ts";
import { dateVocabulary, normalizeWord } from "./date-vocabulary.ts";

/**
 * Converts days and instants between the wire (ISO 8601, UTC, with microseconds) and the user's locale and zone. Invalid
 * days such as 31 February are rejected, not rolled over.
 */

const formatBy = (options: Intl.DateTimeFormatOptions) =>
  memoize((locale: string | undefined) => new Intl.DateTimeFormat(locale, options));

const dayFormat = formatBy({ dateStyle: "medium", timeZone: "UTC" });
const instantFormat = formatBy({ dateStyle: "medium", timeStyle: "short" });
const timeFormat = formatBy({ timeStyle: "short" });
const exactFormat = formatBy({ dateStyle: "full", timeStyle: "long" });
const formatOfThisYear = memoize((locale: string | undefined) => {
  const { hour12 } = new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions();
  // 8:51 AM, but 08:51.
  const hour = hour12 ? "numeric" : "2-digit";
  return new Intl.DateTimeFormat(locale, {
    month: "short",
    day: "numeric",
    hour,
    minute: "2-digit",
  });
});

/** A calendar day in the locale. It has no time zone, so none may shift it. One before Christ is shown as it is stored, like its instants. */
export function formatDay(day: string, locale?: string): string {
  if (day.endsWith(" BC")) return day;
  const at = Date.parse(`${day.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(at)) return day;
  return dayFormat(locale).format(at);
}

/** A day so many days later. */
export function addDays(day: string, count: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + count);
  return at.toISOString().slice(0, 10);
}

/** The same day of a month so many months later, or the last one of a shorter month. */
export function addMonths(day: string, count: number): string {
  const at = new Date(`${day.slice(0, -2)}01T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() + count);
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  at.setUTCDate(Math.min(Number(day.slice(-2)), last));
  return at.toISOString().slice(0, 10);
}

const monthFormat = formatBy({ month: "long", year: "numeric", timeZone: "UTC" });
const weekdayFormat = formatBy({ weekday: "short", timeZone: "UTC" });

/** The month of a day, with its year. */
export function formatMonth(day: string, locale?: string): string {
  return monthFormat(locale).format(Date.parse(`${day}T00:00:00Z`));
}

/** What not every browser says of a language yet. */
interface WithWeekInfo {
  getWeekInfo(): { firstDay: number };
}

/** The day with which weeks begin in the user's language, 0 for Sunday. */
export function firstDayOfWeek(): number {
  const locale: Partial<WithWeekInfo> & Intl.Locale = new Intl.Locale(navigator.language);
  return (locale.getWeekInfo?.().firstDay ?? 1) % 7;
}

/** The days of the week by their shortest names, from the one with which it begins. */
export function weekdayNames(locale?: string): string[] {
  // A Sunday.
  const first = addDays("2026-11-01", firstDayOfWeek());
  return Array.from({ length: 7 }, (_, at) =>
    weekdayFormat(locale).format(Date.parse(`${addDays(first, at)}T00:00:00Z`)),
  );
}

/** An instant in the reader's zone, to the minute; without the year if it is this one. */
export function formatInstant(instant: string, locale?: string): string {
  const at = Date.parse(instant);
  if (Number.isNaN(at)) return instant;
  const isThisYear = new Date(at).getFullYear() === thisYear();
  return (isThisYear ? formatOfThisYear : instantFormat)(locale).format(at);
}

/** The time of an instant in the reader's zone, to the minute. */
export function formatTime(instant: string, locale?: string): string {
  return timeFormat(locale).format(Date.parse(instant));
}

/** An instant with its year, its seconds and the reader's zone: for a tooltip. */
export function formatExact(instant: string, locale?: string): string {
  const at = Date.parse(instant);
  if (Number.isNaN(at)) return instant;
  return exactFormat(locale).format(at);
}

/** An instant as text that spreadsheets and our own parser understand: local, to the second. */
export function localText(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return instant;
  const day = [at.getFullYear(), twoDigits(at.getMonth() + 1), twoDigits(at.getDate())].join("-");
  const seconds = at.getSeconds() === 0 ? "" : `:${twoDigits(at.getSeconds())}`;
  return `${day} ${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}${seconds}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

/**
 * `YYYY-MM-DD` from an ISO day, 31.12.2026, 12/31/2026 or 12-31-2026 in the order of the locale, or with the month's
 * name: 31 Dec 2026, Dec 31. Without a year it is this one.
 */
export function parseDay(text: string, locale?: string): string | null {
  const clean = text.trim();
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(clean);
  if (iso) return validDay(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const other = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/.exec(clean);
  if (!other) return shortDay(clean, locale) ?? namedDay(clean, locale);
  const [first, second, year] = [Number(other[1]), Number(other[3]), Number(other[4])];
  const monthFirst = other[2] !== "." && startsWithMonth(locale);
  return monthFirst ? validDay(year, first, second) : validDay(year, second, first);
}

/** A day with the month by name; every other word must be one that the locale's own dates have. */
function namedDay(text: string, locale: string | undefined): string | null {
  const { months, fillers } = dateVocabulary(locale);
  const words = text
    .split(/[\s,/-]+/)
    .map((word) => word.replace(/\.+$/, "").toLocaleLowerCase())
    .filter(Boolean);
  const monthOf = (word: string) => months.get(normalizeWord(word));
  const found = words.flatMap((word) => monthOf(word) ?? []);
  const numbers = words.filter((word) => /^\d+$/.test(word));
  const others = words.filter((word) => monthOf(word) === undefined && !numbers.includes(word));
  if (found.length !== 1 || others.some((word) => !fillers.has(normalizeWord(word)))) return null;
  const days = numbers.filter((number) => number.length <= 2);
  const years = numbers.filter((number) => number.length === 4);
  if (days.length !== 1 || years.length > 1 || days.length + years.length < numbers.length) {
    return null;
  }
  return validDay(Number(years[0] ?? thisYear()), found[0] as number, Number(days[0]));
}

/** "1/01" in the order of the locale, "1.1.": as some locales write a day of this year. */
function shortDay(text: string, locale: string | undefined): string | null {
  const found = /^(\d{1,2})(?:(\/)(\d{1,2})|\.\s?(\d{1,2})\.)$/.exec(text);
  if (!found) return null;
  const [first, second] = [Number(found[1]), Number(found[3] ?? found[4])];
  const monthFirst = found[2] !== undefined && startsWithMonth(locale);
  return monthFirst ? validDay(thisYear(), first, second) : validDay(thisYear(), second, first);
}

function thisYear(): number {
  return new Date().getFullYear();
}

function startsWithMonth(locale: string | undefined): boolean {
  const parts = new Intl.DateTimeFormat(locale).formatToParts(0);
  return parts.find((part) => part.type === "day" || part.type === "month")?.type === "month";
}

function validDay(year: number, month: number, day: number): string | null {
  const at = new Date(Date.UTC(year, month - 1, day));
  const real = at.getUTCMonth() === month - 1 && at.getUTCDate() === day && year >= 1;
  return real ? `${String(year).padStart(4, "0")}-${twoDigits(month)}-${twoDigits(day)}` : null;
}

/** A time at the end of a text, after the day: hours, minutes, seconds if any, and the half of the day. */
const TIME_AT_END =
  /(?:^|[\sT,])(\d{1,2})[:.](\d\d)(?:[:.](\d\d)(?:\.\d+)?)?\s*((?:\p{L}\.?\s?)+)?$/u;

/**
 * ISO instant from an ISO text with zone (retaining its microseconds), or from a day and a time in
 * the reader's zone. A day alone is its midnight. Null if it is neither, or a time that the clocks skip on that day.
 */
export function parseInstant(text: string, locale?: string): string | null {
  const clean = text.trim();
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)$/.test(clean)) {
    return Number.isNaN(Date.parse(clean)) || !parseDay(clean.slice(0, 10)) ? null : clean;
  }
  const local = localTime(clean, locale);
  return local && instantOf(local);
}

const DAY_MS = 86_400_000;

/**
 * An instant that was typed in place of another one. Of a time that the clocks show twice the first is meant, unless the other one is
 * within a day and has the offset of the second: whoever changes a minute does not change the hour.
 */
export function besideInstant(typed: string, before: string): string {
  const [at, other] = [new Date(typed), new Date(before)];
  const offset = other.getTimezoneOffset();
  const shifted = new Date(+at + (offset - at.getTimezoneOffset()) * 60_000);
  const isShownTwice = shifted.getTimezoneOffset() === offset && +shifted !== +at;
  return isShownTwice && Math.abs(+other - +at) < DAY_MS ? shifted.toISOString() : typed;
}

/** Whether a text is a day and a time that the clocks of the reader's zone skip on that day. */
export function isSkippedTime(text: string): boolean {
  return localTime(text.trim()) !== null && parseInstant(text) === null;
}

interface LocalTime {
  day: string;
  seconds: number;
}

function localTime(text: string, locale?: string): LocalTime | null {
  const whole = parseDay(text, locale);
  if (whole) return { day: whole, seconds: 0 };
  const time = timeAtEnd(text, locale);
  if (!time) return null;
  const day = parseDay(withoutTail(text.slice(0, time.index), locale), locale);
  return day === null ? null : { day, seconds: time.seconds };
}

/** Null if the clocks skip it. Where they skip midnight, that is the beginning of the day. */
function instantOf({ day, seconds }: LocalTime): string | null {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  const at = new Date(2000, 0);
  // Unlike the constructor, it takes the years of the first century for what they are.
  at.setFullYear(year, month - 1, date);
  at.setHours(0, 0, seconds);
  const ofDay = (at.getHours() * 60 + at.getMinutes()) * 60 + at.getSeconds();
  const isShown = at.getDate() === date && (ofDay === seconds || seconds === 0);
  return isShown ? at.toISOString() : null;
}

/** "22 Nov 2026 at" without the trailing words that introduce the time. */
function withoutTail(text: string, locale: string | undefined): string {
  const { fillers } = dateVocabulary(locale);
  const words = text.split(/[\s,]+/).filter(Boolean);
  while (fillers.has(normalizeWord(words.at(-1) ?? ""))) words.pop();
  return words.join(" ");
}

function timeAtEnd(text: string, locale: string | undefined) {
  const found = TIME_AT_END.exec(text);
  if (!found) return null;
  const [, hours = "", minutes = "", seconds = "0", half] = found;
  const added =
    half === undefined
      ? null
      : dateVocabulary(locale).dayPeriods.get(normalizeWord(half.replaceAll(/\s/g, "")));
  const hour = added === null ? Number(hours) : (Number(hours) % 12) + (added ?? Number.NaN);
  const isTwelve = added === null || (Number(hours) >= 1 && Number(hours) <= 12);
  if (!isTwelve || !(hour <= 23) || Number(minutes) > 59 || Number(seconds) > 59) return null;
  return {
    index: found.index,
    seconds: (hour * 60 + Number(minutes)) * 60 + Number(seconds),
  };
}
