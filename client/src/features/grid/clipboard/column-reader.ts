import { decimalToShortText, multiply, toDecimal } from "../../../../../shared/filter/decimal.ts";
import { isTemporal } from "../../../../../shared/filter/value-kinds.ts";
import { detectDecimal, possibleDateFormats } from "../../../../../shared/import/detect-format.ts";
import { kindOfType } from "../../../../../shared/model/field-types.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import {
  fullYear,
  parseDateFormat,
  readByFormat,
} from "../../../../../shared/protocol/date-format.ts";
import { isOtherCurrency, withoutCurrency } from "../../../../../shared/read-number.ts";
import { parseDay, parseInstant } from "../../../records/fields/instant.ts";
import { isNumberType, plainNumber } from "../../../records/fields/number-text.ts";
import { type Parsed, parseInput } from "../../../records/fields/typed-text.ts";
import type { PastedCell } from "./clipboard-cells.ts";

/**
 * Reads the pasted cells of one column. How its numbers and dates are written is taken from all of its cells, then from
 * the user's locale: `11/22/2026` proves that the month comes first. What can be read in two ways, and neither decides,
 * is refused.
 */
export function columnReader(
  field: Field,
  cells: readonly PastedCell[],
): (cell: PastedCell) => Parsed {
  if (isTemporal(kindOfType[field.type])) return dateReader(field, cells);
  return isNumberType(field.type)
    ? numberReader(field, cells)
    : ({ text }) => parseInput(field, text);
}

function numberReader(field: Field, cells: readonly PastedCell[]): (cell: PastedCell) => Parsed {
  const mark = detectDecimal(cells.map(({ text }) => digitsIn(text))) ?? undefined;
  return ({ text, number }) => {
    const stored = number && storedNumber(field, text, number);
    const shown = stored ? shownNumber(field, text, stored) : null;
    if (!stored || shown === null) return parseInput(field, text, mark);
    return parseInput(field, shown === stored ? stored : withoutNoise(stored), ".");
  };
}

/** The number behind a text as the field holds it. A spreadsheet has 12.5% as 0.125; other fields refuse percentages by their text. */
function storedNumber({ type }: Field, text: string, number: string): string | undefined {
  if (!text.includes("%")) return number;
  const fraction = type === "percent" ? toDecimal(number) : null;
  return fraction ? decimalToShortText(multiply(fraction, HUNDRED)) : undefined;
}

/**
 * The digits of a displayed text if they are this number, perhaps rounded. Those of a date, of another currency or of a format of its
 * own are not.
 */
function shownNumber({ currency }: Field, text: string, number: string): string | null {
  if (currency !== undefined && isOtherCurrency(text, currency)) return null;
  const amount =
    currency === undefined ? text.replace(/\p{Sc}/gu, "") : withoutCurrency(text, currency);
  const readings = [".", ","].map((mark) => plainNumber(amount, mark));
  const isNumber = (shown: string | null) => {
    const decimals = shown?.split(".")[1]?.length ?? 0;
    return (
      shown !== null && Math.abs(Number(shown) - Number(number)) <= 0.500_001 * 10 ** -decimals
    );
  };
  return readings.find(isNumber) ?? null;
}

/** Digits that spreadsheets compute with. */
const SIGNIFICANT_DIGITS = 15;

/** A number without the last digits of a double: 0.30000000000000004 is 0.3. */
function withoutNoise(number: string): string {
  const digits = number.replace(/^-?0*\.?0*/, "").replace(".", "").length;
  if (!number.includes(".") || digits <= SIGNIFICANT_DIGITS) return number;
  const rounded = Number(number).toPrecision(SIGNIFICANT_DIGITS);
  return /e/.test(rounded) ? number : rounded.replace(/\.?0+$/, "");
}

/** The digits and their signs, without currency and percent. */
function digitsIn(text: string): string {
  return text.replace(/[\p{Sc}\p{L}%()]/gu, "").trim();
}

const HUNDRED = { digits: 100n, scale: 0 };
const SECONDS_PER_DAY = 86_400;
/** Spreadsheets count days from here. */
const FIRST_DAY = Date.UTC(1899, 11, 30);
/** A day in digits, and what follows it. */
const DAY_IN_DIGITS = /^(\d{1,4}([-/.])\d{1,2}\2\d{1,4})(?=$|[\sT,])[\s,]*(.*)$/;

function dateReader(field: Field, cells: readonly PastedCell[]): (cell: PastedCell) => Parsed {
  const days = cells.flatMap(({ text }) => DAY_IN_DIGITS.exec(text.trim())?.[1] ?? []);
  const formats = possibleDateFormats(days);
  return (cell) => {
    const text = cell.text.trim();
    if (text === "") return parseInput(field, text);
    const [, day, , time = ""] = DAY_IN_DIGITS.exec(text) ?? [];
    const isSerial = cell.number !== undefined && cell.number !== text;
    if (isSerial) return fromSerial(field, cell, day);
    const [format, ...others] = formats;
    const known = day && format && others.length === 0 ? dayBy(format, day) : null;
    return known === null
      ? parseInput(field, text)
      : parseInput(field, time === "" ? known : `${known} ${time}`);
  };
}

/** `YYYY-MM-DD` from a day in digits; null if it does not have the format. */
function dayBy(format: string, text: string): string | null {
  const parts = readByFormat(text, parseDateFormat(format) ?? []);
  if (!parts?.year || !parts.month || !parts.day) return null;
  return `${fullYear(parts.year)}-${parts.month}-${parts.day}`;
}

/**
 * The day that the spreadsheet itself has stored. It must be one of those that the displayed text can mean, because some
 * workbooks count from another day.
 */
function fromSerial(
  field: Field,
  { text, number = "" }: PastedCell,
  day: string | undefined,
): Parsed {
  const at = new Date(FIRST_DAY + Math.round(Number(number) * SECONDS_PER_DAY) * 1_000);
  const isValid = !Number.isNaN(at.getTime());
  const stored = isValid ? at.toISOString().slice(0, 10) : "";
  const shown =
    day === undefined ? [] : possibleDateFormats([day]).map((format) => dayBy(format, day));
  const local = parseDay(text) ?? localDay(parseInstant(text));
  if (!shown.includes(stored) && local !== stored && day !== stored) {
    return parseInput(field, text);
  }
  const time = isValid ? at.toISOString().slice(11, 19) : "";
  return parseInput(field, field.type === "date" ? stored : `${stored} ${time}`);
}

function localDay(instant: string | null): string | null {
  if (instant === null) return null;
  const at = new Date(instant);
  const parts = [at.getFullYear(), at.getMonth() + 1, at.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}
