import { QUOTIENT_DIGITS } from "./expression.ts";

/** A decimal number of any length, exactly: `digits / 10^scale`, computed like Postgres' numeric. */
export interface Exact {
  digits: bigint;
  scale: number;
}

const FORM = /^([+-]?)(\d+)(?:\.(\d+))?$/;

/** A stored or written number; null if it is not one (also for NaN and the infinities). */
export function readExact(value: unknown): Exact | null {
  const match = FORM.exec(typeof value === "number" ? String(value) : (value as string));
  if (!match) return null;
  const [, sign, whole = "", fraction = ""] = match;
  return {
    digits: BigInt(`${sign === "-" ? "-" : ""}${whole}${fraction}`),
    scale: fraction.length,
  };
}

const power = (scale: number) => 10n ** BigInt(scale);

function atScale({ digits, scale }: Exact, targetScale: number): bigint {
  return digits * power(targetScale - scale);
}

export function add(a: Exact, b: Exact): Exact {
  const scale = Math.max(a.scale, b.scale);
  return { digits: atScale(a, scale) + atScale(b, scale), scale };
}

export function negate({ digits, scale }: Exact): Exact {
  return { digits: -digits, scale };
}

export function multiply(a: Exact, b: Exact): Exact {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale };
}

/** To QUOTIENT_DIGITS after the point; null for a division by zero. */
export function divide(a: Exact, b: Exact): Exact | null {
  if (b.digits === 0n) return null;
  const scale = QUOTIENT_DIGITS + 1;
  const quotient = (a.digits * power(scale + b.scale)) / (b.digits * power(a.scale));
  return roundTo({ digits: quotient, scale }, QUOTIENT_DIGITS);
}

/** Half away from zero, like Postgres. */
export function roundTo(value: Exact, scale: number): Exact {
  if (value.scale <= scale) return { digits: atScale(value, scale), scale };
  const step = power(value.scale - scale);
  const half = (value.digits < 0n ? -step : step) / 2n;
  return { digits: (value.digits + half) / step, scale };
}

export function floor(value: Exact): Exact {
  const step = power(value.scale);
  const cut = value.digits / step;
  const isBelow = value.digits < 0n && value.digits % step !== 0n;
  return { digits: isBelow ? cut - 1n : cut, scale: 0 };
}

export function compare(a: Exact, b: Exact): number {
  const { digits } = add(a, negate(b));
  return digits === 0n ? 0 : digits < 0n ? -1 : 1;
}

/** With exactly the digits of its scale after the point. */
export function writeExact({ digits, scale }: Exact): string {
  const sign = digits < 0n ? "-" : "";
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, "0");
  const whole = text.slice(0, text.length - scale);
  return scale === 0 ? `${sign}${whole}` : `${sign}${whole}.${text.slice(-scale)}`;
}

/** Without trailing zeros. */
export function writeShort(value: Exact): string {
  const text = writeExact(value);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
