import { type Field, kindOfType, type Table } from "../../../../../shared/model/model.ts";
import type { MeasureOp } from "../../../../../shared/model/wallboard/tile-parts.ts";
import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";

/** The fields that each setting of a tile allows, as the server validates them. */

const numeric = ["integer", "decimal"];
const temporal = ["date", "timestamp"];
const groupable = ["text", "integer", "decimal", "boolean", "date"];

function ofKinds(fields: readonly Field[], kinds: readonly string[]): Field[] {
  return fields.filter(({ type }) => kinds.includes(kindOfType[type]));
}

/** Types in the order of how few distinct values their fields usually have. */
const byFewValues = ["select", "boolean", "person", "link", "text"];

/** Fields to group by, those with few values first. */
export function groupFields(fields: readonly Field[]): Field[] {
  const rank = ({ type }: Field) =>
    byFewValues.includes(type) ? byFewValues.indexOf(type) : byFewValues.length;
  const found = ofKinds(fields, groupable).filter(({ type }) => type !== "longText");
  return found.toSorted((a, b) => rank(a) - rank(b));
}

export function timeFields(fields: readonly Field[]): Field[] {
  return ofKinds(fields, temporal);
}

/** Fields that a measure can be computed from; none for `count`. */
export function measuredFields(op: MeasureOp, fields: readonly Field[]): Field[] {
  if (op === "count") return [];
  if (op === "min" || op === "max") return ofKinds(fields, [...numeric, ...temporal]);
  if (op === "distinct") return ofKinds(fields, [...groupable, "timestamp"]);
  return ofKinds(fields, numeric);
}

/** Fields to sort by. */
export function orderFields(fields: readonly Field[]): Field[] {
  return ofKinds(fields, [...groupable, "timestamp"]);
}

/** The visible fields of a table, in the model's order. */
export function visibleFields(table: Table, visible: readonly string[]): Field[] {
  return table.fields.filter(({ name }) => visible.includes(name));
}

export const measureLabels: Record<MeasureOp, () => string> = {
  count: messages.count,
  sum: messages.sum,
  avg: messages.average,
  min: messages.minimum,
  max: messages.maximum,
  percentile: messages.percentile,
  distinct: messages.distinct,
};
