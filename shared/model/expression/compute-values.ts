import { isPlainDate, readDate, SECONDS_PER_DAY } from "../../filter/calendar-date.ts";
import * as decimal from "../../filter/decimal.ts";
import type { Json } from "../../filter/filter.ts";
import { isPlainInstant, readInstant } from "../../filter/instant.ts";
import { matches } from "../../filter/matches.ts";
import { isNumeric } from "../../filter/value-kinds.ts";
import { kindOfType, traitsOf } from "../field-types.ts";
import { type Field, fieldKinds, findField, type Table, type Values } from "../model.ts";
import {
  type Expression,
  NUMBER_MAX_DIGITS,
  type Parsed,
  QUOTIENT_DIGITS,
  SECONDS_PER,
} from "./expression.ts";
import { computedFields, expressionOf } from "./expression-of.ts";

/**
 * Computes expressions in memory, exactly as Postgres does (server/store/ddl/expression-sql.ts), so that
 * rules, guards and rights are evaluated on the record after the edit.
 */

/** A record with its computed fields. */
export function withComputedValues(table: Table, record: string, values: Values): Values {
  const fields = computedFields(table);
  if (fields.length === 0) return values;
  const row = { table, record, values: { ...values } };
  for (const field of fields) row.values[field.name] = computeValues(field, row);
  return row.values;
}

function computeValues(field: Field, row: Row): Json {
  const parsed = expressionOf(field) as Parsed;
  if ("value" in parsed) return fitToField(field, evaluate(parsed.value, row));
  return matches(parsed.condition, row.record, row.values, fieldKinds(row.table));
}

interface Row {
  table: Table;
  record: string;
  values: Values;
}

/** The result of a part: numbers exactly, all else as text; null if empty. */
type Value = decimal.Decimal | string | null;

const isNumber = (value: Value): value is decimal.Decimal =>
  typeof value === "object" && value !== null;

function evaluate(expression: Expression, row: Row): Value {
  switch (expression.type) {
    case "number":
      return decimal.toDecimal(expression.value);
    case "text":
      return expression.value === "" ? null : expression.value;
    case "field":
      return fieldValue(expression.name, row);
    case "negate": {
      const value = evaluate(expression.of, row);
      return isNumber(value) ? decimal.negate(value) : null;
    }
    case "arithmetic": {
      const [left, right] = [evaluate(expression.left, row), evaluate(expression.right, row)];
      return isNumber(left) && isNumber(right) ? arithmetic[expression.op](left, right) : null;
    }
    case "joined":
      return expression.parts.map((part) => asText(evaluate(part, row))).join("") || null;
    case "if": {
      const { when, then, otherwise } = expression;
      const isSo = matches(when, row.record, row.values, fieldKinds(row.table));
      const chosen = isSo ? then : otherwise;
      return chosen && evaluate(chosen, row);
    }
    case "call":
      return call(expression, row);
  }
}

const quotient = (a: decimal.Decimal, b: decimal.Decimal) => decimal.divide(a, b, QUOTIENT_DIGITS);

function compare(a: decimal.Decimal, b: decimal.Decimal): number {
  const { digits } = decimal.add(a, decimal.negate(b));
  return digits === 0n ? 0 : digits < 0n ? -1 : 1;
}

const arithmetic = {
  "+": decimal.add,
  "-": (a: decimal.Decimal, b: decimal.Decimal) => decimal.add(a, decimal.negate(b)),
  "*": decimal.multiply,
  "/": quotient,
};

function fieldValue(name: string, { table, record, values }: Row): Value {
  const field = findField(table, name);
  if (!field) return record;
  const value = values[name] ?? null;
  const kind = kindOfType[field.type];
  if (isNumeric(kind)) return decimal.toDecimal(value);
  if (typeof value !== "string" || value === "") return null;
  // Infinities and years beyond 0001-9999, which other programs may write, count as empty.
  if (kind === "date") return isPlainDate(value) ? value : null;
  if (kind === "timestamp") return isPlainInstant(value) ? value : null;
  return value;
}

function asText(value: Value): string {
  if (isNumber(value)) return decimal.decimalToShortText(value);
  return value ?? "";
}

function call({ call: name, args }: Expression & { type: "call" }, row: Row): Value {
  const values = args.map((arg) => evaluate(arg, row));
  const [first = null, second = null] = values;
  switch (name) {
    case "first":
      return values.find((value) => value !== null) ?? null;
    case "days_between":
    case "hours_between":
    case "minutes_between":
    case "seconds_between":
      return between(first, second, SECONDS_PER[name]);
    case "min":
    case "max": {
      const sign = name === "min" ? 1 : -1;
      const filled = values.filter(isNumber).sort((a, b) => sign * compare(a, b));
      return filled[0] ?? null;
    }
    default:
      return isNumber(first)
        ? ofOne[name](first, isNumber(second) ? Number(second.digits) : 0)
        : null;
  }
}

const ofOne = {
  round: (value: decimal.Decimal, digits: number) => decimal.roundTo(value, digits),
  floor: (value: decimal.Decimal) => decimal.floor(value),
  ceiling: (value: decimal.Decimal) => decimal.negate(decimal.floor(decimal.negate(value))),
  abs: (value: decimal.Decimal) => (value.digits < 0n ? decimal.negate(value) : value),
};

function between(from: Value, to: Value, unit: number): decimal.Decimal | null {
  const [start, end] = [from, to].map(microseconds);
  if (start == null || end == null) return null;
  return quotient({ digits: end - start, scale: 6 }, { digits: BigInt(unit), scale: 0 });
}

const MICROSECONDS = 1_000_000n;

/** Since 1970, of the start of a day or of an instant. */
function microseconds(value: Value): bigint | null {
  if (typeof value !== "string") return null;
  const day = readDate(value);
  if (day !== null) return BigInt(day) * BigInt(SECONDS_PER_DAY) * MICROSECONDS;
  const instant = readInstant(value);
  return instant && BigInt(instant.seconds) * MICROSECONDS + BigInt(instant.micros);
}

/** The value as the field stores it; empty if it does not fit. */
function fitToField(field: Field, value: Value): Json {
  if (!isNumber(value)) return typeof value === "string" ? shortened(field, value) : null;
  if (kindOfType[field.type] === "integer") {
    const whole = Number(decimal.roundTo(value, 0).digits);
    return Number.isSafeInteger(whole) ? whole : null;
  }
  const scale = field.scale ?? 2;
  const rounded = decimal.roundTo(value, scale);
  const size = rounded.digits < 0n ? -rounded.digits : rounded.digits;
  return size < 10n ** BigInt(NUMBER_MAX_DIGITS) ? decimal.decimalToText(rounded) : null;
}

function shortened({ type }: Field, text: string): string {
  const { maxLength } = traitsOf(type);
  if (maxLength === undefined || text.length <= maxLength) return text;
  return [...text].slice(0, maxLength).join("");
}
