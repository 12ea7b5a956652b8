import type { Json, ValueKind } from "../../../shared/filter/filter.ts";
import { isOrdered, orderings } from "../../../shared/filter/ordering.ts";

/**
 * Sums in exact arithmetic: an integer that counts units of the last digit. Doubles would drift, and a value
 * that is a cent off is wrong.
 */

const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/;
const AVERAGE_DIGITS = 6;

/** A number of the wire in units of 10^-scale; null if it does not fit (NaN, more digits). */
export function toUnits(value: Json | undefined, scale: number): bigint | null {
  const text = typeof value === "number" ? String(value) : value;
  const match = typeof text === "string" ? PLAIN.exec(text) : null;
  if (!match) return null;
  const fraction = match[3] ?? "";
  if (fraction.length > scale && /[^0]/.test(fraction.slice(scale))) return null;
  const digits = (match[2] ?? "") + fraction.slice(0, scale).padEnd(scale, "0");
  const units = BigInt(digits);
  return match[1] ? -units : units;
}

/** The sum as Postgres writes it: with all its digits, as text; whole numbers as numbers if they fit. */
export function unitsToJson(units: bigint, scale: number, isWhole: boolean): Json {
  if (!isWhole) return unitsToText(units, scale);
  const number = Number(units);
  return Number.isSafeInteger(number) ? number : String(units);
}

function unitsToText(units: bigint, scale: number): string {
  if (scale === 0) return String(units);
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, "0");
  const sign = units < 0n ? "-" : "";
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** The average to six digits, half rounded away from zero, without trailing zeros. */
export function averageToText(units: bigint, scale: number, count: number): string {
  const divisor = BigInt(count) * 10n ** BigInt(scale);
  const scaled = units * 10n ** BigInt(AVERAGE_DIGITS);
  const [size, sign] = scaled < 0n ? [-scaled, -1n] : [scaled, 1n];
  const rounded = ((size * 2n + divisor) / (divisor * 2n)) * sign;
  const text = unitsToText(rounded, AVERAGE_DIGITS);
  return text.replace(/\.?0+$/, "");
}

/** Which of two values is the largest, or the smallest. */
export interface Extreme {
  field: string;
  /** Above 0 if the first value replaces the second. */
  compare(value: Json, held: Json): number;
}

/** The extreme of a field, in Postgres' order. */
export function extremeOf(field: string, kind: ValueKind, op: "min" | "max"): Extreme | null {
  if (!isOrdered(kind)) return null;
  const { read, compare } = orderings[kind];
  const sign = op === "max" ? 1 : -1;
  return {
    field,
    compare(value, held) {
      const [a, b] = [read(value), read(held)];
      return a === null || b === null
        ? Number(a !== null) - Number(b !== null)
        : sign * compare(a, b);
    },
  };
}
