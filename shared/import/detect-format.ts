import { withFormula } from "../csv-line.ts";
import {
  type DateParts,
  fullYear,
  parseDateFormat,
  readByFormat,
} from "../protocol/date-format.ts";
import { type DecimalSign, readAmount } from "../read-number.ts";

const days = ["DD-MM-YYYY", "MM-DD-YYYY", "YYYY-MM-DD", "DD-MM-YY", "MM-DD-YY"];
const separators = ["-", "/", "."];
const times = ["", " HH:mm", " HH:mm:ss"];

/** The formats that files of common programs use. */
export const dateFormats: readonly string[] = days.flatMap((day) =>
  separators.flatMap((separator) => times.map((time) => day.replaceAll("-", separator) + time)),
);
const parsedFormats = dateFormats.map((format) => ({
  format,
  parts: parseDateFormat(format) ?? [],
}));

/**
 * What programs write where a value is missing. Such a text is read as any other, unless the user names it as empty: in some files
 * it is a value. It only says nothing about the format or the type of a column.
 */
export const placeholders: readonly string[] = ["?", "NULL", "null", "\\N", "N/A", "#N/A"];

/** The texts that say how a column is written. */
export function meaningfulTexts(texts: readonly string[]): string[] {
  return texts.map((text) => text.trim()).filter((text) => text && !placeholders.includes(text));
}

const isoDate = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?(Z|[+-]\d\d:?\d\d)?$/;

/**
 * The formats by which every text is a date of the calendar; none where ISO 8601 reads them all. With several, the texts alone
 * don't say which is meant: `03/04/2026` may be in March or in April.
 */
export function possibleDateFormats(texts: readonly string[]): string[] {
  const given = meaningfulTexts(texts);
  if (given.length === 0 || given.every((text) => isoDate.test(text))) return [];
  const fitting = parsedFormats.filter(({ parts }) =>
    given.every((text) => isCalendarTime(readByFormat(text, parts))),
  );
  return fitting.map(({ format }) => format);
}

/** The same, of the texts that are dates in some format. What is none says nothing of the others, and is refused by itself. */
function formatsOfDates(texts: readonly string[]): string[] {
  const formats = possibleDateFormats(texts);
  if (formats.length > 0) return formats;
  const isDate = (text: string) =>
    isoDate.test(text) ||
    parsedFormats.some(({ parts }) => isCalendarTime(readByFormat(text, parts)));
  return possibleDateFormats(meaningfulTexts(texts).filter(isDate));
}

/** A name for each column, by which the user says what is in it: `Column 3` where it has none, `Comment (2)` for the second of one name. */
export function columnNames(header: readonly string[]): string[] {
  const taken = new Set<string>();
  return header.map((written, index) => {
    // The file of rejected rows has it, too.
    const text = withFormula(written);
    const own = text.trim() === "" ? `Column ${index + 1}` : text;
    let name = own;
    for (let n = 2; taken.has(name); n += 1) name = `${own} (${n})`;
    taken.add(name);
    return name;
  });
}

/** How the columns of dates and times are written: each may have a format of its own. */
export interface ColumnDates {
  /** The format of each column; undefined for ISO 8601, and where it is not known. */
  formats: (string | undefined)[];
  /** Those that are proven. */
  proven: string[];
  /** Where the texts of a column fit several formats, which no other column decides: these. */
  ambiguous: string[];
  /** Whether there are dates that no known format reads. */
  hasUnknown: boolean;
}

/**
 * The format of each column, by the texts of its first rows. Where these fit several, it is the `given` one, or one that another column
 * proves, with or without the time of day.
 */
export function detectDates(columns: readonly (readonly string[])[], given?: string): ColumnDates {
  const possible = columns.map(formatsOfDates);
  const proven = [...new Set(possible.flatMap((formats) => (formats.length === 1 ? formats : [])))];
  const days = new Set((given ? [given] : proven).map(dayOf));
  const formats = possible.map((fitting) => {
    const decided =
      fitting.length > 1 ? fitting.filter((format) => days.has(dayOf(format))) : fitting;
    return decided.length === 1 ? decided[0] : undefined;
  });
  const open = possible.filter((fitting, index) => fitting.length > 1 && !formats[index]);
  const hasUnknown = columns.some((texts, index) => {
    const isIso = meaningfulTexts(texts).every((text) => isoDate.test(text));
    return !isIso && possible[index]?.length === 0;
  });
  return { formats, proven, ambiguous: [...new Set(open.flat())], hasUnknown };
}

const dayOf = (format: string) => format.split(" ")[0];

function isCalendarTime(parts: Partial<DateParts> | null): boolean {
  if (!parts) return false;
  const { year = "", month, day, hour = "0", minute = "0", second = "0" } = parts;
  const date = new Date(Date.UTC(Number(fullYear(year)), Number(month) - 1, Number(day)));
  const isDay = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  return isDay && Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
}

/** Signs and codes of currencies, and percent, before and after a number. */
const AMOUNT_SIGNS = /^\s*(?:\p{Sc}|[A-Z]{3}\b)\s*|\s*(?:\p{Sc}|\b[A-Z]{3}|%)\s*$/gu;
/** A longer text is no number; it is left out, so that nobody can make the patterns slow. */
const NUMBER_MAX_LENGTH = 60;
const numberForm = /^[-+−]?[\d.,\s'’]*\d[\d.,\s'’]*$/;
/** What may be before a single sign that groups three digits. */
const firstGroup = /^[-+−]?\s*[1-9]\d{0,2}$/;

/**
 * How fractions are written; null where the texts don't say, or contradict each other. A single group of three digits, as in `1,234`, may
 * be thousands and says nothing; `0,234` and `1234,567` can't be.
 */
export function detectDecimal(texts: readonly string[]): DecimalSign | null {
  const found = new Set<DecimalSign>();
  for (const given of texts) {
    const text = given.length > NUMBER_MAX_LENGTH ? "" : given.replace(AMOUNT_SIGNS, "").trim();
    if (!numberForm.test(text)) continue;
    const signs = [...text].filter((sign) => sign === "." || sign === ",") as DecimalSign[];
    const last = signs.at(-1);
    if (last === undefined) continue;
    const at = text.lastIndexOf(last);
    const mayGroup = text.length - at === 4 && firstGroup.test(text.slice(0, at));
    const isRepeated = signs.indexOf(last) !== signs.length - 1;
    if (isRepeated) found.add(last === "." ? "," : ".");
    else if (signs.length > 1 || !mayGroup) found.add(last);
  }
  const [only] = found;
  return found.size === 1 && only ? only : null;
}

/** Whether a text is another number with a decimal point than with a decimal comma, such as `1.234`. */
export function isAmbiguousNumber(text: string): boolean {
  const [point, comma] = [".", ","].map((sign) => {
    const read = readAmount({ type: "percent" }, text, sign);
    return "digits" in read ? read.digits : null;
  });
  return point !== comma;
}

/**
 * How fractions are written in most of the columns that say it, for those that don't; null where as many say otherwise. One column of another
 * program or country is no reason to read the thousands of all others as fractions.
 */
export function commonDecimal(columns: readonly (readonly string[])[]): DecimalSign | null {
  const found = columns.map(detectDecimal);
  const count = (sign: DecimalSign) => found.filter((one) => one === sign).length;
  const [points, commas] = [count("."), count(",")];
  if (points === commas) return null;
  return points > commas ? "." : ",";
}
