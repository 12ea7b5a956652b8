import { writeInstant, writeStartOfDay } from "../../../../../shared/filter/clock.ts";
import { compareBy } from "../../../../../shared/filter/compare.ts";
import type { Filter, Json } from "../../../../../shared/filter/filter.ts";
import { literalText } from "../../../../../shared/filter/operand.ts";
import type { TextOrder } from "../../../../../shared/filter/text-order.ts";
import { isReference, kindOfType } from "../../../../../shared/model/field-types.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import type { GroupUnit } from "../../../../../shared/model/view/summary-ops.ts";
import type { Grouping } from "../../../../../shared/model/view/view.ts";
import type { SummaryRow } from "../../../../../shared/protocol/summary.ts";
import type { GroupPlace } from "../../../sync/edits/pending-edits.ts";

/** More ranges of days than this are not hidden: a filter has an end. */
const HIDDEN_MAX_RANGES = 40;
const DAY_LENGTH = 10;
const MONTH_LENGTH = 7;

/** The group of a value, as a summary names it: days and months by their first day, empty values as null. */
export function groupKey(field: Field, { by }: Grouping, value: Json, zone: string): Json {
  if (value === null || value === "") return null;
  if (by === undefined) return value;
  const text = String(value);
  const day =
    field.type === "timestamp" ? writeInstant(Date.parse(text), zone).slice(0, DAY_LENGTH) : text;
  return by === "day" ? day : `${day.slice(0, MONTH_LENGTH)}-01`;
}

/**
 * Compares the groups of a field as a view sorted by it has them: by the order of its rows. The server's order of `counted` groups is
 * final; where others are among them is provisional.
 */
export function groupOrder(
  { name, type }: Field,
  { by }: Grouping,
  {
    descending,
    counted,
    textOrder,
  }: { descending: boolean; counted: readonly SummaryRow[]; textOrder: TextOrder },
): (a: Json, b: Json) => number {
  const kinds = { [name]: by === undefined ? kindOfType[type] : "date" } as const;
  const known = new Map(
    counted.map(({ key, label }, rank) => [JSON.stringify(key), { label, rank }]),
  );
  const rankOf = (key: Json) => known.get(JSON.stringify(key))?.rank;
  const labelOf = (id: string) => known.get(JSON.stringify(id))?.label ?? id;
  const labels = isReference(type) && by === undefined ? { [name]: labelOf } : {};
  const compare = compareBy([{ field: name, descending }], kinds, textOrder, labels);
  const record = (key: Json) => ({ id: "", values: { [name]: key } });
  return (a, b) => {
    const [left, right] = [rankOf(a), rankOf(b)];
    if (left === undefined || right === undefined) return compare(record(a), record(b));
    return descending ? right - left : left - right;
  };
}

/** Matches what a new record of a group has, if that is one value: months and times have none. */
export function memberFilter({ field, key }: GroupPlace): Filter {
  return { field, op: "eq", value: literal(key) };
}

/** Matches the records of these groups; of days and months also of those between them. */
export function membersFilter(
  field: Field,
  { by }: Grouping,
  keys: readonly Json[],
  zone: string,
): Filter {
  const filled = keys.filter((key) => key !== null);
  const parts: Filter[] = filled.length < keys.length ? [{ field: field.name, op: "isEmpty" }] : [];
  const days = filled.map(String).toSorted();
  if (by === undefined) parts.push({ field: field.name, op: "in", value: filled.map(literal) });
  else if (days[0]) parts.push(rangeFilter(field, by, [days[0], days.at(-1) ?? null], zone));
  return { or: parts };
}

/** Matches the records of no hidden group. `keys` are all groups in their order. */
export function shownFilter(
  field: Field,
  grouping: Grouping,
  { keys, hidden }: { keys: readonly Json[]; hidden: readonly Json[] },
  zone: string,
): Filter | null {
  if (hidden.length === 0) return null;
  const { name } = field;
  const { by } = grouping;
  if (by === undefined) return { field: name, op: "nin", value: hidden.map(literal) };
  const parts: Filter[] = rangesOf(keys, hidden)
    .slice(0, HIDDEN_MAX_RANGES)
    .map((range) => ({ not: rangeFilter(field, by, range, zone) }));
  if (hidden.includes(null)) parts.push({ field: name, op: "isEmpty", value: false });
  return { and: parts };
}

function literal(key: Json): Json {
  return typeof key === "string" ? literalText(key) : key;
}

/** The first and last of neighbouring hidden groups. */
function rangesOf(keys: readonly Json[], hidden: readonly Json[]): [Json, Json][] {
  const ranges: [Json, Json][] = [];
  const sorted = keys.filter((key) => key !== null).toSorted((a, b) => (`${a}` < `${b}` ? -1 : 1));
  let isRunning = false;
  for (const key of sorted) {
    const range = ranges.at(-1);
    const isHidden = hidden.includes(key);
    if (isHidden && isRunning && range) range[1] = key;
    else if (isHidden) ranges.push([key, key]);
    isRunning = isHidden;
  }
  return ranges;
}

function rangeFilter(
  { name, type }: Field,
  by: GroupUnit,
  [first, last]: readonly [Json, Json],
  zone: string,
): Filter {
  const end = dayAfter(String(last), by);
  const bound = (day: string) => (type === "timestamp" ? startOfDay(day, zone) : day);
  return {
    and: [
      { field: name, op: "gte", value: bound(String(first)) },
      { field: name, op: "lt", value: bound(end) },
    ],
  };
}

/** The first day after a day or month. */
function dayAfter(day: string, by: GroupUnit): string {
  const at = new Date(`${day}T00:00:00Z`);
  if (by === "day") at.setUTCDate(at.getUTCDate() + 1);
  else at.setUTCMonth(at.getUTCMonth() + 1);
  return at.toISOString().slice(0, DAY_LENGTH);
}

/** The first instant of a day in a zone: zones are up to fourteen hours ahead of UTC and twelve behind. */
function startOfDay(day: string, zone: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const starts = [12, 0, 23].map((hours) => writeStartOfDay(midnight + hours * 3_600_000, zone));
  return starts.find((start) => start.startsWith(day)) ?? `${day}T00:00:00Z`;
}
