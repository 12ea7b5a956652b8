import { memoize } from "../../../shared/memoize.ts";
import { formatLanguage, textLanguage } from "../messages/define-messages.ts";

/**
 * Numbers and dates in the reader's locale. Words ("5 minutes ago") are in the language of the interface, because they
 * are part of its sentences.
 */
const counts = new Intl.NumberFormat();
const compactIn = memoize(
  (language: string) =>
    new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 }),
);
const relativeIn = memoize(
  (language: string) => new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "long" }),
);
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

const listIn = memoize((language: string) => ({
  and: new Intl.ListFormat(language, { type: "conjunction" }),
  or: new Intl.ListFormat(language, { type: "disjunction" }),
  items: new Intl.ListFormat(language, { type: "unit", style: "short" }),
}));

/** "A, B and C" */
export function formatList(items: readonly string[]): string {
  return listIn(formatLanguage()).and.format(items);
}

/** "A, B or C" */
export function formatChoice(items: readonly string[]): string {
  return listIn(formatLanguage()).or.format(items);
}

/** "A, B, C" */
export function formatItems(items: readonly string[]): string {
  return listIn(formatLanguage()).items.format(items);
}

/** By locale, if there is one, and options, as JSON. */
const numberFormat = memoize((key: string) => {
  const [options, locale]: [Intl.NumberFormatOptions, string?] = JSON.parse(key);
  return new Intl.NumberFormat(locale, options);
});

/** A number in the user's locale, with all its digits. */
export function formatNumber(
  value: string | number,
  options: Intl.NumberFormatOptions = {},
  locale?: string,
): string {
  const format = numberFormat(JSON.stringify(locale ? [options, locale] : [options]));
  // Intl takes exact decimal texts; the types know only numbers and bigints.
  return format.format(value as number);
}

/** 12,345 */
export function formatCount(count: number): string {
  return counts.format(count);
}

/** 12.3K: for places with space for only a few characters. */
export function formatCompact(count: number): string {
  return count < 1_000 ? counts.format(count) : compactIn(textLanguage()).format(count);
}

/** Nov 21, 2026, 4:05 AM, in the reader's zone. */
export function formatMoment(iso: string): string {
  return moment.format(new Date(iso));
}

const timeOfDay = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });

/** 10:42 for today, else with the day. */
export function formatRecent(iso: string, now: Date = new Date()): string {
  const at = new Date(iso);
  const isToday = at.toDateString() === now.toDateString();
  return isToday ? timeOfDay.format(at) : moment.format(at);
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000_000],
  ["month", 2_592_000_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** 5 minutes ago; "now" within the minute. `now` in milliseconds. */
export function formatAgo(iso: string, now: number = Date.now()): string {
  const away = Date.parse(iso) - now;
  const step = steps.find(([, length]) => Math.abs(away) >= length);
  const relative = relativeIn(textLanguage());
  return step ? relative.format(Math.trunc(away / step[1]), step[0]) : relative.format(0, "second");
}

/** 45 seconds, 2 minutes: how long to wait, rounded up so that it is never too early. */
export function formatWait(seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds));
  const [unit, amount] = whole < 60 ? ["second", whole] : ["minute", Math.ceil(whole / 60)];
  return new Intl.NumberFormat(textLanguage(), {
    style: "unit",
    unit: unit as string,
    unitDisplay: "long",
  }).format(amount as number);
}

const byteUnits = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** 2.5 MB, or 2.5 megabytes: three digits. */
export function formatBytes(bytes: number, unitDisplay: "short" | "long" = "short"): string {
  const step = Math.min(byteUnits.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const number = new Intl.NumberFormat(textLanguage(), {
    style: "unit",
    unit: byteUnits[step] as string,
    unitDisplay,
    maximumSignificantDigits: 3,
  });
  return number.format(bytes / 1_000 ** step);
}
