import { type Field, kindOfType, type Table } from "../../../../../shared/model/model.ts";
import type { MeasureOp } from "../../../../../shared/model/wallboard/tile-parts.ts";

/** Which fields of a table can play which part in a tile: what the server would refuse is not offered. */

const numeric = ["integer", "decimal"];
const temporal = ["date", "timestamp"];
const groupable = ["text", "integer", "decimal", "boolean", "date"];

function ofKinds(fields: readonly Field[], kinds: readonly string[]): Field[] {
  return fields.filter(({ type }) => kinds.includes(kindOfType[type]));
}

/** Types by how few values a field of them has; a link or a text may have as many as there are records. */
const byFewValues = ["select", "boolean", "person", "link", "text"];

/** Fields by which records can be put into groups, those with few values first. */
export function groupFields(fields: readonly Field[]): Field[] {
  const rank = ({ type }: Field) =>
    byFewValues.includes(type) ? byFewValues.indexOf(type) : byFewValues.length;
  const found = ofKinds(fields, groupable).filter(({ type }) => type !== "longText");
  return found.toSorted((a, b) => rank(a) - rank(b));
}

export function timeFields(fields: readonly Field[]): Field[] {
  return ofKinds(fields, temporal);
}

/** Fields that a measure can be worked out over; none for `count`. */
export function measuredFields(op: MeasureOp, fields: readonly Field[]): Field[] {
  if (op === "count") return [];
  if (op === "min" || op === "max") return ofKinds(fields, [...numeric, ...temporal]);
  if (op === "distinct") return ofKinds(fields, [...groupable, "timestamp"]);
  return ofKinds(fields, numeric);
}

/** Fields that records can be put in order by. */
export function orderFields(fields: readonly Field[]): Field[] {
  return ofKinds(fields, [...groupable, "timestamp"]);
}

/** The fields of a table that a person may see, in the model's order. */
export function visibleFields(table: Table, visible: readonly string[]): Field[] {
  return table.fields.filter(({ name }) => visible.includes(name));
}

export const measureLabels: Record<MeasureOp, string> = {
  count: "Number of records",
  sum: "Sum of",
  avg: "Average of",
  min: "Least",
  max: "Greatest",
  percentile: "Percentile of",
  distinct: "Different values of",
};
