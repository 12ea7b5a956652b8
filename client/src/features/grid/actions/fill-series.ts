import {
  add,
  type Decimal,
  decimalToShortText,
  multiply,
  negate,
  toDecimal,
} from "../../../../../shared/filter/decimal.ts";
import type { Json } from "../../../../../shared/filter/filter.ts";
import { isNumeric } from "../../../../../shared/filter/value-kinds.ts";
import { kindOfType } from "../../../../../shared/model/field-types.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { normalizeValue } from "../../../../../shared/model/normalize-value.ts";
import { isReadOnly } from "../../../../../shared/model/recorded.ts";
import { atScale } from "../../../records/fields/number-text.ts";

/** The value at a place after the given ones; the first is 1. */
type Series<Value> = (place: number) => Value;

/**
 * How two or more values go on, as in spreadsheets: numbers, days and times with the same step between them. Null for all
 * others, which are repeated. A series ends where its values are no values of the field: these are null.
 */
export function seriesOf(field: Field, values: readonly Json[]): Series<Json> | null {
  const series = isReadOnly(field) ? null : endlessSeries(field, values);
  return (
    series &&
    ((place) => {
      const value = series(place);
      return normalizeValue(field, value).ok ? value : null;
    })
  );
}

function endlessSeries(field: Field, values: readonly Json[]): Series<Json> | null {
  const texts = values.filter((value) => typeof value === "string");
  const kind = kindOfType[field.type];
  if (values.length < 2) return null;
  if (isNumeric(kind)) return numberSeries(field, values);
  if (texts.length < values.length) return null;
  if (kind === "date") return dateSeries(texts);
  return kind === "timestamp" ? timeSeries(texts) : null;
}

function numberSeries({ type, scale }: Field, values: readonly Json[]): Series<Json> | null {
  const numbers = values.flatMap((value) => toDecimal(value) ?? []);
  const minus = (a: Decimal, b: Decimal) => add(a, negate(b));
  const steps = numbers.slice(1).map((number, at) => minus(number, numbers[at] ?? number));
  const [step, last] = [steps[0], numbers.at(-1)];
  const isEven = step && steps.every((other) => minus(other, step).digits === 0n);
  if (!isEven || !last || numbers.length < values.length) return null;
  return (place) => {
    const times = { digits: BigInt(place), scale: 0 };
    const text = decimalToShortText(add(last, multiply(step, times)));
    if (kindOfType[type] === "integer") return Number(text);
    return scale === undefined ? text : atScale(text, scale);
  };
}

/** A day of the calendar; months are counted from January 1900. */
interface Day {
  months: number;
  day: number;
}

const DAY_MS = 86_400_000;

function dateSeries(texts: readonly string[]): Series<Json> | null {
  const series = daySeries(texts.map((text) => dayOf(Date.parse(`${text}T00:00:00Z`) / DAY_MS)));
  return (
    series && ((place) => textOf(new Date(numberOf(series(place)) * DAY_MS))?.slice(0, 10) ?? null)
  );
}

/** Times of the same hour in the user's zone go on at that hour, others after the same span. */
function timeSeries(texts: readonly string[]): Series<Json> | null {
  const times = texts.map((text) => new Date(text));
  const clocks = times.map((at) => [at.getHours(), at.getMinutes(), at.getSeconds()] as const);
  const [clock] = clocks;
  if (clock && clocks.every((other) => other.join() === clock.join())) {
    const series = daySeries(times.map(localDay));
    return (
      series &&
      ((place) => {
        const { months, day } = series(place);
        return textOf(new Date(1_900, months, day, ...clock));
      })
    );
  }
  const instants = times.map((at) => at.getTime());
  const [step, last] = [stepOf(instants), instants.at(-1)];
  if (step === null || last === undefined) return null;
  return (place) => textOf(new Date(last + step * place));
}

/** Null beyond the times that a browser knows. */
function textOf(at: Date): string | null {
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

function localDay(at: Date): Day {
  return { months: (at.getFullYear() - 1_900) * 12 + at.getMonth(), day: at.getDate() };
}

/** By months where all are the same day of one, at most its last, and else by days. */
function daySeries(days: readonly Day[]): Series<Day> | null {
  const last = days.at(-1);
  if (!last) return null;
  const monthStep = stepOf(days.map(({ months }) => months));
  if (monthStep && days.every(({ day }) => day === last.day)) {
    return (place) => {
      const months = last.months + monthStep * place;
      const { day } = dayOf(numberOf({ months: months + 1, day: 0 }));
      return { months, day: Math.min(day, last.day) };
    };
  }
  const step = stepOf(days.map(numberOf));
  return step === null ? null : (place) => dayOf(numberOf(last) + step * place);
}

function numberOf({ months, day }: Day): number {
  return Date.UTC(1_900, months, day) / DAY_MS;
}

function dayOf(number: number): Day {
  const at = new Date(number * DAY_MS);
  return { months: (at.getUTCFullYear() - 1_900) * 12 + at.getUTCMonth(), day: at.getUTCDate() };
}

/** The difference between each number and the one before it, if all are the same. */
function stepOf(numbers: readonly number[]): number | null {
  const steps = numbers.slice(1).map((number, at) => number - (numbers[at] ?? number));
  const [step = Number.NaN] = steps;
  return steps.every((other) => other === step) ? step : null;
}
