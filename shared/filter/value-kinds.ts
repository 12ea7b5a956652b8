import type { ComparisonOp, FieldKinds, Json, ValueKind } from "./filter.ts";

/**
 * What follows from the kind of a value wherever it is: which operators compare it, what counts as empty, what is a
 * number or a time. How each kind is ordered is in ordering.ts, its columns and SQL in server/store/columns.ts.
 */

/** The record's own id, which every table has and every filter and order may name. */
export const ID_FIELD = "id";

/**
 * The number of a record in the order of entry, which breaks ties before the id. Only the server's own orders and filters name
 * it: it is no field, and the name of none, because those don't begin with a space.
 */
export const ENTRY_FIELD = " entry";

const EQUALITY: readonly ComparisonOp[] = ["eq", "ne", "in", "nin", "isEmpty"];
const ORDER: readonly ComparisonOp[] = [...EQUALITY, "lt", "lte", "gt", "gte", "between"];

/** The operators for each kind; filter builders offer these, the check allows these. */
export const opsByKind: Readonly<Record<ValueKind, readonly ComparisonOp[]>> = {
  text: [...ORDER, "contains", "startsWith"],
  integer: ORDER,
  decimal: ORDER,
  boolean: EQUALITY,
  date: ORDER,
  timestamp: ORDER,
  list: ["eq", "ne", "contains", "isEmpty"],
  json: ["eq", "ne", "isEmpty"],
};

/** The kind of a field, or undefined if there is no such field for this reader. */
export function kindOf(kinds: FieldKinds, field: string): ValueKind | undefined {
  if (field === ID_FIELD) return "text";
  return Object.hasOwn(kinds, field) ? kinds[field] : undefined;
}

/** Whether values are numbers: of which there are sums, averages and ranges. */
export function isNumeric(kind: ValueKind): kind is "integer" | "decimal" {
  return kind === "integer" || kind === "decimal";
}

/** Whether values are points in time: days or instants. */
export function isTemporal(kind: ValueKind): kind is "date" | "timestamp" {
  return kind === "date" || kind === "timestamp";
}

/**
 * What counts as empty, everywhere: null, and the kind's own empty value. The empty text and the empty list are values of
 * JSON like others.
 */
export function isEmptyValue(kind: ValueKind, value: Json): boolean {
  if (value === null) return true;
  if (kind === "text") return value === "";
  return kind === "list" && Array.isArray(value) && value.length === 0;
}

/** Whether the values of two kinds can be compared. */
export function areComparable(a: ValueKind, b: ValueKind): boolean {
  return (a === b && a !== "json") || (isNumeric(a) && isNumeric(b));
}
