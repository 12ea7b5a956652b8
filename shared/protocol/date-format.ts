/** How dates and times are written in a file, such as `DD-MM-YYYY HH:mm`. */

export interface DateParts {
  year: string;
  month: string;
  day: string;
  hour: string;
  minute: string;
  second: string;
}

/** A part of a date with its possible numbers of digits, or a separator. */
export type FormatPart = { name: keyof DateParts; min: number; max: number } | { text: string };

const partNames: Record<string, keyof DateParts | undefined> = {
  YYYY: "year",
  YY: "year",
  MM: "month",
  DD: "day",
  HH: "hour",
  mm: "minute",
  ss: "second",
};

/** The parts of a format such as `DD-MM-YYYY HH:mm`; null if it names a part of a date twice. */
export function parseDateFormat(format: string): FormatPart[] | null {
  const tokens = format.match(/YYYY|YY|MM|DD|HH|mm|ss|[^A-Za-z]|[A-Za-z]/g) ?? [];
  const names: (keyof DateParts)[] = [];
  const parts = tokens.map((token): FormatPart => {
    const name = partNames[isMinute(token, names) ? "mm" : token];
    if (!name) return { text: token };
    names.push(name);
    return token === "YYYY" ? { name, min: 4, max: 4 } : { name, min: 1, max: 2 };
  });
  if (new Set(names).size < names.length) return null;
  // Adjacent digits are split by their number alone.
  return parts.map((part, index) => {
    const isRunning = [parts[index - 1], parts[index + 1]].some((one) => one && "name" in one);
    return "name" in part && isRunning ? { ...part, min: part.max } : part;
  });
}

/** The first two-digit year of the 20th century; those before it are of the 21st, as in POSIX. */
const FIRST_OF_1900S = "69";

/** A year of two digits as one of four. */
export function fullYear(year: string): string {
  if (year.length !== 2) return year;
  return year < FIRST_OF_1900S ? `20${year}` : `19${year}`;
}

/** `MM` is a month, but minutes after hours, as many users write it. */
function isMinute(token: string, before: readonly string[]): boolean {
  return token === "MM" && before.includes("hour");
}

/** The part of a format before its time; null if it has none, or begins with it. */
export function dayFormatOf(format: readonly FormatPart[]): readonly FormatPart[] | null {
  const time = format.findIndex((part) => "name" in part && part.name === "hour");
  if (time < 1) return null;
  const before = format.slice(0, time);
  const last = before.findLastIndex((part) => "name" in part);
  return last < 0 ? null : before.slice(0, last + 1);
}

/** Reads a text from left to right without backtracking; null if it does not have the format. */
export function readByFormat(
  text: string,
  format: readonly FormatPart[],
): Partial<DateParts> | null {
  const found: Partial<DateParts> = {};
  let at = 0;
  for (const part of format) {
    if ("text" in part) {
      if (!text.startsWith(part.text, at)) return null;
      at += part.text.length;
      continue;
    }
    const from = at;
    while (at < from + part.max && isDigit(text.charCodeAt(at))) at += 1;
    if (at - from < part.min) return null;
    found[part.name] = text.slice(from, at).padStart(2, "0");
  }
  return at === text.length ? found : null;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
