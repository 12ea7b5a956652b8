/**
 * Calendar days as Postgres sends them, as day numbers that order as `date` does there. Years beyond four
 * digits, `BC` and the two infinities are included, because an adopted table may hold them. A value in a
 * filter must be a plain year 0001–9999.
 */

export const SECONDS_PER_DAY = 86_400;

const DAY = /^(\d{4,7})-(\d\d)-(\d\d)( BC)?$/;
const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Days since 1970-01-01 of a day in the proleptic Gregorian calendar (year 0 is 1 BC). */
function daysFromCivil(year: number, month: number, day: number): number {
  const shifted = month > 2 ? year : year - 1;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** The day number of a written year, month and day, or null if there is no such day. */
export function dayNumber(
  yearText: string,
  monthText: string,
  dayText: string,
  beforeChrist: boolean,
): number | null {
  const written = Number(yearText);
  const year = beforeChrist ? 1 - written : written;
  const month = Number(monthText);
  const day = Number(dayText);
  if (written < 1 || month < 1 || month > 12 || day < 1) return null;
  if (day > (DAYS_IN_MONTH[month - 1] ?? 0)) return null;
  if (month === 2 && day === 29 && !isLeap(year)) return null;
  return daysFromCivil(year, month, day);
}

/** A stored date as a day number, the infinities at the ends; null if it is not a date. */
export function readDate(text: string): number | null {
  if (text === "infinity") return Number.POSITIVE_INFINITY;
  if (text === "-infinity") return Number.NEGATIVE_INFINITY;
  const match = DAY.exec(text);
  if (!match) return null;
  const [, year = "", month = "", day = "", beforeChrist] = match;
  return dayNumber(year, month, day, beforeChrist !== undefined);
}

/** Whether a text is a real calendar day in the plain form YYYY-MM-DD. */
export function isPlainDate(text: string): boolean {
  return text.length === 10 && readDate(text) !== null;
}
