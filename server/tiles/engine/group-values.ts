import { compareCodePoints } from "../../../shared/filter/code-points.ts";
import {
  add,
  averageToText,
  compareDecimals,
  type Decimal,
  decimalToText,
  readDecimal,
  toDecimal,
} from "../../../shared/filter/decimal.ts";
import type { Json } from "../../../shared/filter/filter.ts";
import { compareTexts } from "../../../shared/filter/text-order.ts";
import type { MeasureForm, TilePlan } from "../plan/wallboard-plan.ts";
import { emptyGroup, type GroupValue } from "./tally.ts";

/** Arithmetic on groups: their combined value, their order, and which are too small. */

/** Several groups as one. Only counts, sums and averages can be combined. */
export function joinGroupValues(groupValues: readonly GroupValue[]): GroupValue {
  const [first] = groupValues;
  if (first && groupValues.length === 1) return first;
  const joined = emptyGroup(first?.key ?? null);
  for (const { n, filled, units, beyond } of groupValues) {
    joined.n += n;
    joined.filled += filled;
    joined.units += units;
    if (beyond !== undefined) joined.beyond = addTexts(joined.beyond ?? "0", beyond);
  }
  return joined;
}

/** The measure in wire form; null if there is nothing to measure. */
export function measureValue(groupValue: GroupValue, { op, scale, isWhole }: MeasureForm): Json {
  const { filled, beyond } = groupValue;
  const units = { digits: groupValue.units, scale };
  const sum = beyond === undefined ? units : addTo(units, beyond);
  switch (op) {
    case "count":
      return groupValue.n;
    case "sum":
      if (typeof sum === "string") return sum;
      return filled > 0 ? sumToJson(sum, isWhole) : null;
    case "avg":
      // NaN and the infinities are their own average.
      return typeof sum === "string" ? sum : averageToText(sum, filled);
    case "distinct":
      return groupValue.value ?? 0;
    default:
      return groupValue.value;
  }
}

/** A sum that no decimal holds is a text: NaN or infinite. */
function addTo(sum: Decimal, text: string): Decimal | string {
  const decimal = toDecimal(text);
  return decimal ? add(sum, decimal) : text;
}

function addTexts(a: string, b: string): string {
  const [left, right] = [toDecimal(a), toDecimal(b)];
  return left && right ? decimalToText(add(left, right)) : String(Number(a) + Number(b));
}

/** The sum as Postgres writes it: with all its digits, as text; whole numbers as numbers if they fit. */
function sumToJson(sum: Decimal, isWhole: boolean): Json {
  const number = Number(sum.digits);
  return isWhole && Number.isSafeInteger(number) ? number : decimalToText(sum);
}

/**
 * By `value`, `key` (options in their own order, else by label) or `n`, `-` for descending; by default the
 * largest first. Ties by key, so that rows don't jump.
 */
export function orderGroupValues(
  groupValues: readonly GroupValue[],
  order: readonly string[],
  { form, textOrder = null }: Pick<TilePlan, "form" | "textOrder">,
  label: (key: Json) => string,
  options: readonly string[] = [],
): GroupValue[] {
  const terms = order.length > 0 ? order : ["-value"];
  const place = new Map(options.map((key, index) => [key, index]));
  const compareKeys = (a: GroupValue, b: GroupValue) => {
    const [left, right] = [place.get(String(a.key)), place.get(String(b.key))];
    if (left !== undefined && right !== undefined) return left - right;
    if ((a.key === null) !== (b.key === null)) return a.key === null ? 1 : -1;
    return compareTexts(textOrder)(label(a.key), label(b.key)) || byKey(a, b);
  };
  const steps = terms.map((term) => {
    const sign = term.startsWith("-") ? -1 : 1;
    const by = term.replace(/^-/, "");
    if (by === "n") return (a: GroupValue, b: GroupValue) => sign * (a.n - b.n);
    if (by === "key") return (a: GroupValue, b: GroupValue) => sign * compareKeys(a, b);
    return (a: GroupValue, b: GroupValue) =>
      sign * compareValues(measureValue(a, form), measureValue(b, form));
  });
  return [...groupValues].sort((a, b) => {
    for (const step of steps) {
      const found = step(a, b);
      if (found !== 0) return found;
    }
    return compareKeys(a, b);
  });
}

/** The same order whatever came first: else two readings of the same values would differ. */
function byKey(a: GroupValue, b: GroupValue): number {
  return compareCodePoints(JSON.stringify(a.key), JSON.stringify(b.key));
}

/** Numbers, exact ones as text, and instants; empty values are below everything. */
function compareValues(a: Json, b: Json): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  const [left, right] = [numberOf(a), numberOf(b)];
  if (left !== null && right !== null) return compareDecimals(left, right);
  return compareCodePoints(String(a), String(b));
}

function numberOf(value: Json) {
  return typeof value === "number" || typeof value === "string" ? readDecimal(value) : null;
}

/** Whether so many records are too few to be shown: none reveal nobody. */
export function isSmall(n: number, least = 0): boolean {
  return n > 0 && n < least;
}

/**
 * Groups of fewer than `least` records are shown only combined, until the combination has that many;
 * otherwise the total would reveal the one that is left out. `others` were
 * combined before.
 */
export function suppress(
  groupValues: readonly GroupValue[],
  least?: number,
  others: readonly GroupValue[] = [],
) {
  const joined = [...others, ...groupValues.filter(({ n }) => isSmall(n, least))];
  const shown = groupValues
    .filter(({ n }) => !isSmall(n, least))
    .sort((a, b) => a.n - b.n || byKey(a, b));
  while (joined.length > 0 && isSmall(joinGroupValues(joined).n, least)) {
    const next = shown.findIndex(({ n }) => n > 0);
    if (next < 0) break;
    joined.push(...shown.splice(next, 1));
  }
  return { shown, joined };
}
