import {
  add,
  type Decimal,
  decimalToShortText,
  divide,
  negate,
  toDecimal,
} from "../../../../../shared/filter/decimal.ts";
import { isNumeric } from "../../../../../shared/filter/value-kinds.ts";
import { kindOfType } from "../../../../../shared/model/field-types.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import type { RecordView } from "../../../state/record-view.ts";

/** Exact decimals as texts, for numbers of one kind. */
interface Numbers {
  /** Whose format the numbers have. */
  field: Field;
  sum: string;
  average: string;
  minimum: string;
  maximum: string;
}

export interface Statistics {
  /** Cells that have a value. */
  count: number;
  /** Null if there are no numbers or their units differ. */
  numbers: Numbers | null;
}

/** Digits of an average beyond those of the values. */
const AVERAGE_DIGITS = 2;

/** Counts and adds up the selected cells, without rounding. */
export function statisticsOf(cells: Iterable<{ record: RecordView; field: Field }>): Statistics {
  const values: Decimal[] = [];
  // NaN and the infinities, which another program has stored.
  const beyond: number[] = [];
  let field: Field | null = null;
  let isMixed = false;
  let count = 0;
  for (const { record, field: of } of cells) {
    const value = record.values[of.name] ?? null;
    if (value === null) continue;
    count += 1;
    if (!isNumeric(kindOfType[of.type])) continue;
    const exact = toDecimal(value);
    isMixed ||= field !== null && unitOf(of) !== unitOf(field);
    if (!field || (of.scale ?? 0) > (field.scale ?? 0)) field = of;
    if (exact) values.push(exact);
    else beyond.push(Number(value));
  }
  return { count, numbers: field && !isMixed ? numbersOf(field, values, beyond) : null };
}

/** In the order and by the arithmetic of Postgres: NaN is above everything else, and so is any sum with it. */
function numbersOf(
  field: Field,
  values: readonly Decimal[],
  beyond: readonly number[],
): Numbers | null {
  const finite = finiteNumbersOf(field, values);
  if (beyond.length === 0) return finite;
  const sum = String(beyond.reduce((total, value) => total + value, 0));
  const inOrder = beyond.toSorted(
    (a, b) => Number(Number.isNaN(a)) - Number(Number.isNaN(b)) || a - b,
  );
  const [least, greatest] = [inOrder[0], inOrder.at(-1)];
  const minimum = finite && least !== Number.NEGATIVE_INFINITY ? finite.minimum : String(least);
  const maximum =
    finite && greatest === Number.NEGATIVE_INFINITY ? finite.maximum : String(greatest);
  return { field, sum, average: sum, minimum, maximum };
}

function finiteNumbersOf(field: Field, values: readonly Decimal[]): Numbers | null {
  const [first] = values;
  if (!first) return null;
  let [sum, minimum, maximum] = [{ digits: 0n, scale: 0 }, first, first];
  for (const value of values) {
    sum = add(sum, value);
    if (isLess(value, minimum)) minimum = value;
    if (isLess(maximum, value)) maximum = value;
  }
  const places = field.type === "duration" ? 0 : (field.scale ?? 0) + AVERAGE_DIGITS;
  const average = divide(sum, { digits: BigInt(values.length), scale: 0 }, places) ?? sum;
  return {
    field,
    sum: decimalToShortText(sum),
    average: decimalToShortText(average),
    minimum: decimalToShortText(minimum),
    maximum: decimalToShortText(maximum),
  };
}

function isLess(a: Decimal, b: Decimal): boolean {
  return add(a, negate(b)).digits < 0n;
}

/** Only numbers of the same unit can be added. */
function unitOf({ type, currency }: Field): string {
  return type === "integer" || type === "decimal" ? "number" : `${type} ${currency ?? ""}`;
}
