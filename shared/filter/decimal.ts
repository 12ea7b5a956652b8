/**
 * Exact decimal numbers of any length, compared and computed as Postgres' `numeric`.
 */

/**
 * A number to compare. A short decimal text and a JavaScript number are both held as a double: up to 15 digits survive the
 * conversion, so comparing the doubles is comparing the decimals. Longer texts are compared digit by digit. A
 * double means its shortest decimal (`String(n)`), which is also what is sent to Postgres.
 */
type DecimalKey = number | Digits;

interface Digits {
  negative: boolean;
  /** Without leading zeros. */
  whole: string;
  /** Without trailing zeros. */
  fraction: string;
}

/** A number to compute with: `digits / 10^scale`. */
export interface Decimal {
  digits: bigint;
  scale: number;
}

const SAFE_LENGTH = 15;
const SHORT = /^-?\d+(\.\d+)?$/;
const LONG = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d{1,4}))?$/;

/** Longest decimal that a filter or an edit may hold, in characters. */
export const DECIMAL_MAX_LENGTH = 200;

/** In one pass: the pattern `/0+$/` takes quadratic time for zeros that are not at the end. */
function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}

function digitsOf(text: string): Digits | null {
  const match = LONG.exec(text);
  if (!match) return null;
  const exponent = Number(match[5] ?? 0);
  let whole = match[2] ?? "";
  let fraction = match[3] ?? match[4] ?? "";
  if (exponent > 0) {
    const shifted = fraction.padEnd(exponent, "0");
    whole += shifted.slice(0, exponent);
    fraction = shifted.slice(exponent);
  } else if (exponent < 0) {
    const shifted = whole.padStart(-exponent, "0");
    fraction = shifted.slice(shifted.length + exponent) + fraction;
    whole = shifted.slice(0, shifted.length + exponent);
  }
  whole = whole.replace(/^0+/, "");
  fraction = withoutZerosAtEnd(fraction);
  return { negative: match[1] === "-" && whole + fraction !== "", whole, fraction };
}

/**
 * A stored number; null if the text is not one. `NaN` and the infinities can be stored, but not used in a
 * filter.
 */
export function readDecimal(value: number | string): DecimalKey | null {
  if (typeof value === "number") return value;
  if (value.length <= SAFE_LENGTH && SHORT.test(value)) return Number(value);
  if (value === "NaN" || value === "Infinity" || value === "-Infinity") return Number(value);
  return digitsOf(value);
}

/** In the order of Postgres: NaN equals itself and is above everything else. */
function compareDoubles(a: number, b: number): number {
  if (a === b) return 0;
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : 1;
  if (Number.isNaN(b)) return -1;
  return a < b ? -1 : 1;
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function compareDigits(a: Digits, b: Digits): number {
  if (a.negative !== b.negative) return a.negative ? -1 : 1;
  const size =
    a.whole.length - b.whole.length ||
    compareTexts(a.whole, b.whole) ||
    compareTexts(a.fraction, b.fraction);
  return a.negative ? -size : size;
}

function longForm(key: DecimalKey): Digits {
  const digits = typeof key === "number" ? digitsOf(String(key)) : key;
  if (!digits) throw new RangeError(`not a finite number: ${String(key)}`);
  return digits;
}

export function compareDecimals(a: DecimalKey, b: DecimalKey): number {
  if (typeof a === "number" && typeof b === "number") return compareDoubles(a, b);
  if (typeof a === "number" && !Number.isFinite(a)) return compareDoubles(a, 0);
  if (typeof b === "number" && !Number.isFinite(b)) return compareDoubles(0, b);
  return compareDigits(longForm(a), longForm(b));
}

/** Whether a filter may contain this number: finite, not too long, and not already rounded by a double. */
export function isExactNumber(value: number | string): boolean {
  if (typeof value === "number") {
    return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  }
  return value.length <= DECIMAL_MAX_LENGTH && digitsOf(value) !== null;
}

/** A stored or written number; null if it is not one (also for NaN and the infinities). */
export function toDecimal(value: unknown): Decimal | null {
  const read =
    typeof value === "number" || typeof value === "string" ? digitsOf(String(value)) : null;
  return read && { digits: unitsOf(read, read.fraction.length), scale: read.fraction.length };
}

/** A stored or written number in units of 10^-scale; null if it is not one or has more digits. */
export function toUnits(value: unknown, scale: number): bigint | null {
  const read =
    typeof value === "number" || typeof value === "string" ? digitsOf(String(value)) : null;
  return read && read.fraction.length <= scale ? unitsOf(read, scale) : null;
}

function unitsOf({ negative, whole, fraction }: Digits, scale: number): bigint {
  const units = BigInt(whole + fraction.padEnd(scale, "0"));
  return negative ? -units : units;
}

const power = (scale: number) => 10n ** BigInt(scale);

function atScale({ digits, scale }: Decimal, targetScale: number): bigint {
  return digits * power(targetScale - scale);
}

export function add(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { digits: atScale(a, scale) + atScale(b, scale), scale };
}

export function negate({ digits, scale }: Decimal): Decimal {
  return { digits: -digits, scale };
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale };
}

/** With so many digits after the point; null for a division by zero. */
export function divide(a: Decimal, b: Decimal, places: number): Decimal | null {
  if (b.digits === 0n) return null;
  const scale = places + 1;
  const quotient = (a.digits * power(scale + b.scale)) / (b.digits * power(a.scale));
  return roundTo({ digits: quotient, scale }, places);
}

/** Half away from zero, like Postgres. */
export function roundTo(value: Decimal, scale: number): Decimal {
  if (value.scale <= scale) return { digits: atScale(value, scale), scale };
  const step = power(value.scale - scale);
  const half = (value.digits < 0n ? -step : step) / 2n;
  return { digits: (value.digits + half) / step, scale };
}

export function floor(value: Decimal): Decimal {
  const step = power(value.scale);
  const cut = value.digits / step;
  const isBelow = value.digits < 0n && value.digits % step !== 0n;
  return { digits: isBelow ? cut - 1n : cut, scale: 0 };
}

/** With exactly the digits of its scale after the point. */
export function decimalToText({ digits, scale }: Decimal): string {
  const sign = digits < 0n ? "-" : "";
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, "0");
  const whole = text.slice(0, text.length - scale);
  return scale === 0 ? `${sign}${whole}` : `${sign}${whole}.${text.slice(-scale)}`;
}

/** Without zeros at the end of the fraction. */
export function decimalToShortText(value: Decimal): string {
  const [whole = "", fraction = ""] = decimalToText(value).split(".");
  const digits = withoutZerosAtEnd(fraction);
  return digits ? `${whole}.${digits}` : whole;
}

const AVERAGE_PLACES = 6;

/** The average of numbers with this sum, without zeros at its end; null if there are none. */
export function averageToText(sum: Decimal, count: number): string | null {
  const average = divide(sum, { digits: BigInt(count), scale: 0 }, AVERAGE_PLACES);
  return average && decimalToShortText(average);
}
