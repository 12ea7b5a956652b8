import { decimalToText, toUnits } from "../../../../shared/filter/decimal.ts";

/**
 * Converts numbers between typed text and the wire. Decimals are never converted to floats: they are texts from the
 * keyboard to the database, padded to the scale of the field.
 */

/** Digits with sign and point from "1 234,5", "1,234.50", "12 %", "(5)"; null if it is not a number. */
export function plainNumber(text: string, decimalMark = localMark()): string | null {
  const negative = /^\(([^()+-]+)\)$/.exec(text.trim())?.[1];
  if (negative !== undefined) {
    const plain = plainNumber(negative, decimalMark);
    return plain === null ? null : `-${plain}`;
  }
  let clean = text
    .trim()
    .replace(/[\s\u00a0\u202f_']/g, "")
    .replace(/[%€$£]$|^[€$£]/g, "");
  const group = decimalMark === "," ? "." : ",";
  const grouped = new RegExp(`^[+-]?\\d{1,3}(\\${group}\\d{3})+(\\${decimalMark}\\d+)?$`);
  if (grouped.test(clean)) clean = clean.replaceAll(group, "");
  clean = clean.replace(",", ".");
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(clean) ? clean.replace(/^\+/, "") : null;
}

let mark: string | undefined;
function localMark(): string {
  mark ??= new Intl.NumberFormat().formatToParts(1.5).find((p) => p.type === "decimal")?.value;
  return mark ?? ".";
}

/** The exact text of a decimal at its scale; null if it has more decimal places. */
export function atScale(plain: string, scale: number): string | null {
  const units = toUnits(plain, scale);
  return units === null ? null : decimalToText({ digits: units, scale });
}

const formats = new Map<string, Intl.NumberFormat>();

/** A number in the user's locale, with all its digits. */
export function formatNumber(
  value: string | number,
  options: Intl.NumberFormatOptions = {},
  locale?: string,
): string {
  const key = `${locale}|${JSON.stringify(options)}`;
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options);
  formats.set(key, format);
  // Intl takes exact decimal texts; the types know only numbers and bigints.
  return format.format(value as number);
}
