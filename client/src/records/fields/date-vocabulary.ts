import { memoize } from "../../../../shared/memoize.ts";

/**
 * The words in dates of a locale: months, day periods, and words between them ("at", "de"). English is understood in
 * addition to every other locale.
 */
interface DateVocabulary {
  /** 1 to 12 by the month's name in small letters, without a dot. */
  months: ReadonlyMap<string, number>;
  /** Hours to add, by the name of the day period. */
  dayPeriods: ReadonlyMap<string, number>;
  fillers: ReadonlySet<string>;
}

const MONTHS = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 21, 9));
const HALF_DAY_HOURS = 12;

/** The words of a locale, by default the user's own. */
export const dateVocabulary = memoize(readVocabulary);

/** A word as it is looked up: small letters, no dots. */
export function normalizeWord(word: string): string {
  return word.toLocaleLowerCase().replaceAll(".", "");
}

function readVocabulary(locale: string | undefined): DateVocabulary {
  const months = new Map<string, number>();
  const dayPeriods = new Map<string, number>();
  const fillers = new Set<string>();
  for (const tag of ["en", locale]) {
    for (const style of ["medium", "long"] as const) {
      const format = new Intl.DateTimeFormat(tag, {
        dateStyle: style,
        timeStyle: "short",
        timeZone: "UTC",
      });
      for (const [index, at] of MONTHS.entries()) {
        for (const { type, value } of format.formatToParts(at)) {
          if (type === "month" && !/^\d+$/.test(value)) months.set(normalizeWord(value), index + 1);
          if (type === "literal")
            for (const word of value.match(/\p{L}+/gu) ?? []) fillers.add(normalizeWord(word));
        }
      }
    }
    const short = { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" } as const;
    const shortFormat = new Intl.DateTimeFormat(tag, { ...short, timeZone: "UTC" });
    for (const [index, at] of MONTHS.entries()) {
      for (const { type, value } of shortFormat.formatToParts(at)) {
        if (type === "month" && !/^\d+$/.test(value)) months.set(normalizeWord(value), index + 1);
      }
    }
    for (const half of [0, 1]) {
      const at = Date.UTC(2026, 0, 21, 9 + half * HALF_DAY_HOURS);
      const parts = new Intl.DateTimeFormat(tag, {
        hour: "numeric",
        hour12: true,
        timeZone: "UTC",
      });
      const name = parts.formatToParts(at).find(({ type }) => type === "dayPeriod")?.value;
      if (name) dayPeriods.set(normalizeWord(name), half * HALF_DAY_HOURS);
    }
  }
  return { months, dayPeriods, fillers };
}
