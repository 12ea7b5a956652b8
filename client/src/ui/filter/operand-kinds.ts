import { areComparable } from "../../../../shared/filter/field-kind.ts";
import type { Json } from "../../../../shared/filter/filter.ts";
import { readOperand } from "../../../../shared/filter/operand.ts";
import { type Field, kindOfType } from "../../../../shared/model/model.ts";
import type { FilterOperator } from "./filter-rows.ts";

/** What a condition compares a field with. */
export type OperandKind = "value" | "field" | "me" | "attribute" | "now" | "today" | "ago";

export const operandLabels: Record<OperandKind, string> = {
  value: "a value",
  field: "another field",
  me: "whoever looks",
  attribute: "an attribute of whoever looks",
  now: "the present moment",
  today: "today",
  ago: "a time ago",
};

/** What a value of a condition is. */
export function operandKindOf(value: Json): OperandKind {
  if (Array.isArray(value)) return "value";
  const operand = readOperand(value);
  return operand.type === "me" && operand.attribute !== null ? "attribute" : operand.type;
}

/** What a field can be compared with by a question: always a value, and what makes sense beside it. */
export function operandKindsFor(
  field: Field,
  operator: FilterOperator,
  fields: readonly Field[],
): readonly OperandKind[] {
  const kind = kindOfType[field.type];
  const isTime = kind === "date" || kind === "timestamp";
  if (kind === "json" || operator === "within") return ["value"];
  if (operator === "in" || operator === "nin") return ["value", "attribute"];
  if (operator === "contains" || operator === "lacks" || operator === "startsWith") {
    return ["value", "attribute"];
  }
  const others = comparableFields(field, fields).length > 0;
  return [
    "value",
    ...(others ? (["field"] as const) : []),
    ...(isTime ? (["now", "today", "ago"] as const) : []),
    ...(field.type === "person" ? (["me"] as const) : []),
    ...(kind === "text" ? (["attribute"] as const) : []),
  ];
}

/** The fields whose values can be set against those of a field. */
export function comparableFields(field: Field, fields: readonly Field[]): Field[] {
  const kind = kindOfType[field.type];
  return fields.filter(
    (other) => other.name !== field.name && areComparable(kind, kindOfType[other.type]),
  );
}

/** The value that a comparison begins with when it turns to something else. */
export function initialValue(
  operandKind: OperandKind,
  field: Field,
  fields: readonly Field[],
): Json {
  switch (operandKind) {
    case "value":
      return null;
    case "field":
      return { field: comparableFields(field, fields)[0]?.name ?? field.name };
    case "me":
      return "$me";
    case "attribute":
      return "$me.group";
    case "now":
      return "$now";
    case "today":
      return "$today";
    case "ago":
      return { ago: "1d" };
  }
}
