import { isPlainDate } from "./calendar-date.ts";
import type { Json } from "./filter.ts";
import { isPlainInstant } from "./instant.ts";
import { readOperand } from "./operand.ts";

interface FilterLabels {
  labelOf: (field: string) => string;
  valueLabelOf: (field: string, value: Json) => string | undefined;
  /** How the current user is called; “me” and “my” by default. */
  pronouns?: { me: string; my: string };
}

const UNITS = [
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

function describeSpan(seconds: number): string {
  const size = Math.abs(seconds);
  const [unit, unitSeconds] = UNITS.find(([, each]) => size % each === 0 && size >= each) ?? [
    "second",
    1,
  ];
  const count = size / unitSeconds;
  const span = `${count} ${unit}${count === 1 ? "" : "s"}`;
  return seconds < 0 ? `in ${span}` : `${span} ago`;
}

/** One value of a comparison in words: “me”, “my group”, “4 hours ago”, another field's label. */
export function describeOperand(field: string, value: Json, labels: FilterLabels): string {
  const operand = readOperand(value);
  switch (operand.type) {
    case "field":
      return labels.labelOf(operand.field);
    case "me": {
      const { me, my } = labels.pronouns ?? { me: "me", my: "my" };
      return operand.attribute === null ? me : `${my} ${operand.attribute}`;
    }
    case "now":
    case "today":
      return operand.type;
    case "ago":
      return describeSpan(operand.seconds);
    case "value":
      return (
        labels.valueLabelOf(field, operand.value) ?? describePlain(field, operand.value, labels)
      );
  }
}

function describePlain(field: string, value: Json, labels: FilterLabels): string {
  if (value === null || value === "") return "empty";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) {
    if (value.length === 0) return "empty";
    return value.map((each) => describeOperand(field, each, labels)).join(", ");
  }
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Whether a value is a day or a time, so that “before” reads better than “less than”. */
export function isMoment(value: Json): boolean {
  const operand = readOperand(value);
  if (operand.type === "now" || operand.type === "today" || operand.type === "ago") return true;
  return typeof value === "string" && (isPlainDate(value) || isPlainInstant(value));
}
