import type { Json } from "../../../../shared/filter/filter.ts";
import type { Field } from "../../../../shared/model/model.ts";
import type { ColumnSummary } from "../../../../shared/model/view/summary-ops.ts";
import { gridMessages as messages } from "../../messages/en/grid.ts";
import { formatCount, formatNumber } from "../../ui/numbers.ts";
import { formatValue } from "../fields/format-value.ts";

/** The names of what is computed of a column. */
export const summaryNames: Record<ColumnSummary, () => string> = {
  filled: messages.summaryFilled,
  empty: messages.summaryEmpty,
  distinct: messages.summaryDistinct,
  checked: messages.summaryChecked,
  sum: messages.summarySum,
  avg: messages.summaryAvg,
  median: messages.summaryMedian,
  min: messages.summaryMin,
  max: messages.summaryMax,
};

const percent = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 });

/** A summary as the column shows its values. `count` is the number of records. */
export function summaryText(field: Field, op: ColumnSummary, value: Json, count: number): string {
  if (op === "checked" && count > 0) return percent.format(Number(value) / count);
  if (op === "checked" || op === "filled" || op === "empty" || op === "distinct") {
    return formatCount(Number(value));
  }
  if (value === null) return messages.summaryNone();
  return op === "avg" ? averageText(field, value) : formatValue(field, value);
}

/** What was computed of a column, in words: `Cost: Sum €20.00`. */
export function summaryDetail(field: Field, op: ColumnSummary, value: Json, count: number): string {
  const named = { field: field.label, summary: summaryNames[op]() };
  return messages.groupDetail({ ...named, value: summaryText(field, op, value, count) });
}

/** An average may have more digits than the values, except amounts of money and durations. */
export function averageText(field: Field, value: Json): string {
  if (field.type === "money" || field.type === "duration") return formatValue(field, value);
  const text = formatNumber(String(value), { maximumFractionDigits: (field.scale ?? 0) + 2 });
  return field.type === "percent" ? `${text} %` : text;
}
