import type { ComparisonOp, ValueKind } from "./filter.ts";

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
