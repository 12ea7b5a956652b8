import type { Filter, Json, ValueKind } from "../../../../shared/filter/filter.ts";
import { readOperand } from "../../../../shared/filter/operand.ts";
import { isTemporal } from "../../../../shared/filter/value-kinds.ts";
import type { FieldType } from "../../../../shared/model/field-types.ts";
import { kindOfType, traitsOf } from "../../../../shared/model/field-types.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { filterMessages as messages } from "../../messages/en/filter.ts";

/** The operators of the filter builder. Each is one comparison of the filter language, or its `not`. */
export type FilterOperator =
  | "contains"
  | "lacks"
  | "startsWith"
  | "eq"
  | "ne"
  | "in"
  | "nin"
  | "lt"
  | "lte"
  | "gt"
  | "gte"
  | "between"
  | "within"
  | "empty"
  | "filled"
  | "me";

/** A row of the builder. It is part of the filter once it is complete. */
export interface FilterRow {
  id: string;
  field: string;
  operator: FilterOperator;
  value: Json;
}

const textOperators: FilterOperator[] = [
  "contains",
  "lacks",
  "eq",
  "ne",
  "startsWith",
  "empty",
  "filled",
];
const numberOperators: FilterOperator[] = [
  "eq",
  "ne",
  "gt",
  "gte",
  "lt",
  "lte",
  "between",
  "empty",
  "filled",
];

const chosenOperators: FilterOperator[] = ["in", "nin", "empty", "filled"];

const ofKind: Readonly<Record<ValueKind, FilterOperator[]>> = {
  text: textOperators,
  integer: numberOperators,
  decimal: numberOperators,
  boolean: ["eq", "empty", "filled"],
  date: ["gte", "lte", "lt", "gt", "eq", "between", "empty", "filled"],
  timestamp: ["within", "gte", "lt", "between", "empty", "filled"],
  list: ["contains", "lacks", "empty", "filled"],
  json: ["empty", "filled"],
};

/** The operators for a field, the most useful first. */
export function operatorsFor({ type }: Field): FilterOperator[] {
  const { kind, names } = traitsOf(type);
  if (kind !== "text" || names === undefined) return ofKind[kind];
  if (names === "option") return chosenOperators;
  return names === "user" ? ["eq", "me", "ne", "empty", "filled"] : ["eq", "ne", "empty", "filled"];
}

/** The label of an operator for a field type: a date is "before", a number is "less". */
export function operatorLabel(operator: FilterOperator, type: FieldType): string {
  if (isTemporal(kindOfType[type])) {
    if (operator === "gte") return messages.onOrAfter();
    if (operator === "lte") return messages.onOrBefore();
    if (operator === "lt") return messages.isBefore();
    if (operator === "gt") return messages.isAfter();
  }
  return messages[operator]();
}

/** Whether an operator takes a value. */
export function needsValue(operator: FilterOperator): boolean {
  return operator !== "empty" && operator !== "filled" && operator !== "me";
}

/** A row as a comparison; null if it is incomplete. */
export function toTerm({ field, operator, value }: FilterRow): Filter | null {
  if (needsValue(operator) && isBlank(value)) return null;
  switch (operator) {
    case "empty":
      return { field, op: "isEmpty", value: true };
    case "filled":
      return { field, op: "isEmpty", value: false };
    case "me":
      return { field, op: "eq", value: "$me" };
    case "lacks":
      return { not: { field, op: "contains", value } };
    case "within":
      return { field, op: "gte", value: { ago: String(value) } };
    case "between":
      return Array.isArray(value) && value.length === 2 && !value.some(isBlank)
        ? { field, op: "between", value }
        : null;
    default:
      return { field, op: operator, value };
  }
}

function isBlank(value: Json): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

/** The row for a comparison, or for the negation of one that has its own operator; null for a group. */
export function fromTerm(term: Filter, id: string): FilterRow | null {
  if ("not" in term) {
    const inner = fromTerm(term.not, id);
    return inner?.operator === "contains" ? { ...inner, operator: "lacks" } : null;
  }
  if (!("field" in term)) return null;
  const { field, op, value = null } = term;
  const row = (operator: FilterOperator, of: Json = null): FilterRow => ({
    id,
    field,
    operator,
    value: of,
  });
  if (op === "isEmpty") return row(value === false ? "filled" : "empty");
  if (value === null && (op === "eq" || op === "ne")) return row(op === "eq" ? "empty" : "filled");
  if (op === "eq" && value === "$me") return row("me");
  const isSpan = readOperand(value).type === "ago" && !Array.isArray(value);
  if (op === "gte" && isSpan) return row("within", (value as { ago: string }).ago);
  return row(op, value);
}
