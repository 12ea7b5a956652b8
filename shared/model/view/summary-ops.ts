import type { ValueKind } from "../../filter/filter.ts";

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

const numeric: readonly ValueKind[] = ["integer", "decimal"];
const ordered: readonly ValueKind[] = [...numeric, "date", "timestamp"];
const scalar: readonly ValueKind[] = [...ordered, "text", "boolean"];

/** The kinds of fields that can be measured so. */
const kindsOf: Record<ColumnSummary, readonly ValueKind[]> = {
  filled: [...scalar, "list", "json"],
  empty: [...scalar, "list", "json"],
  distinct: scalar,
  checked: ["boolean"],
  sum: numeric,
  avg: numeric,
  median: ordered,
  min: ordered,
  max: ordered,
};

/** Whether fields of a kind can be measured so. */
export function isMeasurable(op: SummaryOp, kind: ValueKind): boolean {
  return op !== "count" && kindsOf[op].includes(kind);
}

/** Whether records can be grouped by fields of a kind: times only by days or months. */
export function isGroupable(kind: ValueKind, by: GroupUnit | undefined): boolean {
  if (kind === "timestamp") return by !== undefined;
  return by === undefined ? scalar.includes(kind) : kind === "date";
}
