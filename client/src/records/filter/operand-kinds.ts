import type { Json } from "../../../../shared/filter/filter.ts";
import { readOperand } from "../../../../shared/filter/operand.ts";
import { areComparable, isTemporal } from "../../../../shared/filter/value-kinds.ts";
import { kindOfType, traitsOf } from "../../../../shared/model/field-types.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { filterMessages as messages } from "../../messages/en/filter.ts";
import type { FilterOperator } from "./filter-rows.ts";

/** What a condition compares a field with. */
export type OperandKind = "value" | "field" | "me" | "attribute" | "now" | "today" | "ago";

/** Which operands a builder offers besides plain values: all, or only those of dates and times. */
export type OfferedOperands = boolean | "times";

export const operandLabels: Record<OperandKind, () => string> = {
  value: messages.operandValue,
  field: messages.operandField,
  me: messages.operandMe,
  attribute: messages.operandAttribute,
  now: messages.operandNow,
  today: messages.operandToday,
  ago: messages.operandAgo,
};

/** The kind of an operand. */
export function operandKindOf(value: Json): OperandKind {
  if (Array.isArray(value)) return "value";
  const operand = readOperand(value);
  return operand.type === "me" && operand.attribute !== null ? "attribute" : operand.type;
}

/** The kinds of operands that make sense for a field and an operator. */
export function operandKindsFor(
  field: Field,
  operator: FilterOperator,
  fields: readonly Field[],
): readonly OperandKind[] {
  const kind = kindOfType[field.type];
  const isTime = isTimeField(field);
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
    ...(traitsOf(field.type).names === "user" ? (["me"] as const) : []),
    ...(kind === "text" ? (["attribute"] as const) : []),
  ];
}

export function isTimeField({ type }: Field): boolean {
  return isTemporal(kindOfType[type]);
}

/** The fields whose values can be compared with those of a field. */
export function comparableFields(field: Field, fields: readonly Field[]): Field[] {
  const kind = kindOfType[field.type];
  return fields.filter(
    (other) => other.name !== field.name && areComparable(kind, kindOfType[other.type]),
  );
}

/** The initial operand after its kind was changed. */
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
