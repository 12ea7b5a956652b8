import { type Explanation, type ExplanationValue, explain } from "../error-texts/explain.ts";
import { isPlainDate } from "./calendar-date.ts";
import type { Json } from "./filter.ts";
import { isPlainInstant } from "./instant.ts";
import { readOperand } from "./operand.ts";

/** The label of a field. */
export type LabelOf = (field: string) => string;

/** The label of a value, if it differs from the value: an option, a user. */
export type ValueLabelOf = (field: string, value: Json) => string | undefined;

export interface FilterLabels {
  labelOf: LabelOf;
  valueLabelOf: ValueLabelOf;
  /** Whether the current user is somebody else than the reader: “themselves” instead of “me”. */
  isForOthers: boolean;
}

const units = [
  [604_800, "condition.weeksAgo", "condition.inWeeks"],
  [86_400, "condition.daysAgo", "condition.inDays"],
  [3600, "condition.hoursAgo", "condition.inHours"],
  [60, "condition.minutesAgo", "condition.inMinutes"],
  [1, "condition.secondsAgo", "condition.inSeconds"],
] as const;

/** A time span as “4 hours ago”, or “in 1 day” if it is negative. */
export function describeSpan(seconds: number): Explanation {
  const size = Math.abs(seconds);
  const [each, ago, ahead] = units.find(([unit]) => size % unit === 0 && size >= unit) ?? units[4];
  return explain(seconds < 0 ? ahead : ago, { count: size / each });
}

/** One value of a comparison in words: “me”, “my group”, “4 hours ago”, another field's label. */
export function describeOperand(
  field: string,
  value: Json,
  labels: FilterLabels,
): ExplanationValue {
  const operand = readOperand(value);
  switch (operand.type) {
    case "field":
      return labels.labelOf(operand.field);
    case "me": {
      const { attribute } = operand;
      const { isForOthers } = labels;
      if (attribute === null) return explain(isForOthers ? "condition.themselves" : "condition.me");
      return explain(isForOthers ? "condition.theirOwn" : "condition.mine", { attribute });
    }
    case "now":
      return explain("condition.now");
    case "today":
      return explain("condition.today");
    case "ago":
      return describeSpan(operand.seconds);
    case "value":
      return (
        labels.valueLabelOf(field, operand.value) ?? describePlain(field, operand.value, labels)
      );
  }
}

function describePlain(field: string, value: Json, labels: FilterLabels): ExplanationValue {
  if (value === null || value === "") return explain("condition.empty");
  if (typeof value === "boolean") return explain(value ? "condition.yes" : "condition.no");
  if (Array.isArray(value)) {
    if (value.length === 0) return explain("condition.empty");
    return value.map((each) => describeOperand(field, each, labels));
  }
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Whether a value is a day or a time, so that “before” reads better than “less than”. */
export function isMoment(value: Json): boolean {
  const operand = readOperand(value);
  if (operand.type === "now" || operand.type === "today" || operand.type === "ago") return true;
  return typeof value === "string" && (isPlainDate(value) || isPlainInstant(value));
}
