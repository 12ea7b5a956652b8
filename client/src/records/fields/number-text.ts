import { decimalToText, toUnits } from "../../../../shared/filter/decimal.ts";
import { memoize } from "../../../../shared/memoize.ts";

/**
 * Converts numbers between typed text and the wire. Decimals are never converted to floats: they are texts from the
 * keyboard to the database, padded to the scale of the field.
 */

const NUMBER_TYPES: readonly string[] = ["integer", "decimal", "money", "percent"];

/** Whether values of a type are numbers that are typed as digits with a decimal mark. */
export function isNumberType(type: string): boolean {
  return NUMBER_TYPES.includes(type);
}

/** Digits with sign and point from "1 234,5", "1,234.50", "1’234", "−5", "12 %", "(5)"; null if it is not a number. */
export function plainNumber(text: string, decimalMark = localMark()): string | null {
  const negative = /^\(([^()+\-−]+)\)$/.exec(text.trim())?.[1];
  if (negative !== undefined) {
    const plain = plainNumber(negative, decimalMark);
    return plain === null ? null : `-${plain}`;
  }
  let clean = text
    .trim()
    .replace(/[\s\u00a0\u202f_'’]/g, "")
    .replace("−", "-")
    .replace(/[%€$£]$|^[€$£]/g, "");
  const group = decimalMark === "," ? "." : ",";
  const grouped = new RegExp(`^[+-]?\\d{1,3}(\\${group}\\d{3})+(\\${decimalMark}\\d+)?$`);
  if (grouped.test(clean)) clean = clean.replaceAll(group, "");
  clean = clean.replace(",", ".");
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(clean) ? clean.replace(/^\+/, "") : null;
}

const decimalMarkOf = memoize(
  (locale: string | undefined) =>
    new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === "decimal")
      ?.value ?? ".",
);

/** The decimal mark of the user's locale. */
export const localMark = () => decimalMarkOf(undefined);

/** All digits of a number with the decimal mark of the locale, ungrouped: `plainNumber` reads the same number from it. */
export function ungroupedNumber(value: string | number, locale?: string): string {
  const plain = String(value);
  return decimalMarkOf(locale) === "," ? plain.replace(".", ",") : plain;
}

/** The exact text of a decimal at its scale; null if it has more decimal places. */
export function atScale(plain: string, scale: number): string | null {
  const units = toUnits(plain, scale);
  return units === null ? null : decimalToText({ digits: units, scale });
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
