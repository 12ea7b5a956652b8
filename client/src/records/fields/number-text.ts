import { decimalToText, toUnits } from "../../../../shared/filter/decimal.ts";
import { isNumeric } from "../../../../shared/filter/value-kinds.ts";
import { memoize } from "../../../../shared/memoize.ts";
import { type FieldType, kindOfType } from "../../../../shared/model/field-types.ts";
import { DIRECTION_MARKS, readNumber } from "../../../../shared/read-number.ts";

/**
 * Converts numbers between typed text and the wire. Decimals are never converted to floats: they are texts from the
 * keyboard to the database, padded to the scale of the field.
 */

/** Whether values of a type are numbers that are typed as digits with a decimal mark; a duration is typed in its units. */
export function isNumberType(type: FieldType): boolean {
  return isNumeric(kindOfType[type]) && type !== "duration";
}

/** Signs before and after the digits, within brackets too: 12 %, -€3, ($5). */
const CURRENCY_BEFORE = /^([(+\-−\s]*)[€$£]/;
const SIGN_AFTER = /[%€$£](?=[\s)]*$)/;

/** What `readNumber` reads of a text in the user's locale, with a percent sign or a common sign of a currency. */
export function plainNumber(text: string, decimalMark = localMark()): string | null {
  const clean = text.replace(DIRECTION_MARKS, "");
  return readNumber(clean.replace(CURRENCY_BEFORE, "$1").replace(SIGN_AFTER, ""), decimalMark);
}

/**
 * How a currency is written: its signs here and in English, and its code, the longest first. Cached, because formats are
 * costly to make.
 */
const currencySigns = memoize((currency: string): readonly string[] => {
  const found = [undefined, "en"].flatMap((locale) =>
    (["symbol", "narrowSymbol", "code"] as const).flatMap((currencyDisplay) =>
      new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay })
        .formatToParts(1)
        .filter(({ type }) => type === "currency")
        .map(({ value }) => value.replace(DIRECTION_MARKS, "")),
    ),
  );
  return [...new Set(found)].sort((a, b) => b.length - a.length);
});

/** An amount without the sign of its currency before or after the digits. */
export function withoutCurrency(text: string, currency: string): string {
  const clean = text.replace(DIRECTION_MARKS, "");
  const [, before = "", amount = "", after = ""] = /^([(+\-−\s]*)(.*?)([\s)]*)$/s.exec(clean) ?? [];
  for (const sign of currencySigns(currency)) {
    if (amount.startsWith(sign)) return `${before}${amount.slice(sign.length)}${after}`;
    if (amount.endsWith(sign)) return `${before}${amount.slice(0, -sign.length)}${after}`;
  }
  return clean;
}

/** Whether an amount names another currency than this one. */
export function isOtherCurrency(text: string, currency: string): boolean {
  return /\p{Sc}|\b[A-Z]{3}\b/u.test(withoutCurrency(text, currency));
}

/** A typed number within a setting's limits, of which more digits than `decimals` are refused; null if it is none. */
export function settingNumber(
  text: string,
  { decimals, min, max }: { decimals: number; min?: number; max?: number },
): number | null {
  const plain = plainNumber(text);
  const exact = plain === null ? null : atScale(plain, decimals);
  return exact === null
    ? null
    : Math.min(Math.max(Number(exact), min ?? -Infinity), max ?? Infinity);
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
