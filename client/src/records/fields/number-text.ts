import { decimalToText, toUnits } from "../../../../shared/filter/decimal.ts";
import { isNumeric } from "../../../../shared/filter/value-kinds.ts";
import { memoize } from "../../../../shared/memoize.ts";
import { type FieldType, kindOfType } from "../../../../shared/model/field-types.ts";
import { readNumber, withoutSigns } from "../../../../shared/read-number.ts";

/**
 * Converts numbers between typed text and the wire. Decimals are never converted to floats: they are texts from the
 * keyboard to the database, padded to the scale of the field.
 */

/** Whether values of a type are numbers that are typed as digits with a decimal mark; a duration is typed in its units. */
export function isNumberType(type: FieldType): boolean {
  return isNumeric(kindOfType[type]) && type !== "duration";
}

/** What `readNumber` reads of a text in the user's locale, with a percent sign or a common sign of a currency. */
export function plainNumber(text: string, decimalMark = localMark()): string | null {
  return readNumber(withoutSigns(text), decimalMark);
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
