import type { ValueKind } from "../../filter/filter.ts";
import { isOrdered } from "../../filter/ordering.ts";
import { isNumeric, isTemporal } from "../../filter/value-kinds.ts";

/** What a summary computes. All except `count` name a field. */
export const summaryOps = [
  "count",
  "filled",
  "empty",
  "distinct",
  "checked",
  "sum",
  "avg",
  "median",
  "min",
  "max",
] as const;
export type SummaryOp = (typeof summaryOps)[number];

/** What a summary computes of one field. */
export const columnSummaries = summaryOps.slice(1) as Exclude<SummaryOp, "count">[];
export type ColumnSummary = (typeof columnSummaries)[number];

/** Days or months of a date or time. */
export const groupUnits = ["day", "month"] as const;
export type GroupUnit = (typeof groupUnits)[number];

/** Which kinds of values can be measured so; the same for the summary of a column and for a tile. */
const measured: Record<ColumnSummary | "percentile", (kind: ValueKind) => boolean> = {
  filled: () => true,
  empty: () => true,
  distinct: isOrdered,
  checked: (kind) => kind === "boolean",
  sum: isNumeric,
  avg: isNumeric,
  percentile: isNumeric,
  median: isRanged,
  min: isRanged,
  max: isRanged,
};

/** Whether values lie on a line, so that there is a least, a greatest and one in the middle that says something. */
function isRanged(kind: ValueKind): boolean {
  return isNumeric(kind) || isTemporal(kind);
}

/** Whether fields of a kind can be measured so. Counting records needs no field. */
export function isMeasurable(op: SummaryOp | "percentile", kind: ValueKind): boolean {
  return op !== "count" && measured[op](kind);
}

/** Whether records can be grouped by fields of a kind: times only by days or months. */
export function isGroupable(kind: ValueKind, by: GroupUnit | undefined): boolean {
  if (kind === "timestamp") return by !== undefined;
  return by === undefined ? isOrdered(kind) : kind === "date";
}
