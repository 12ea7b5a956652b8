import type { Comparison, FieldKinds, Json, ValueKind } from "./filter.ts";
import { foldCase } from "./fold-case.ts";
import { type Literal, readLiteral } from "./literal.ts";
import { readOperand } from "./operand.ts";
import { isOrdered, type OrderedKind } from "./ordering.ts";
import { areComparable, isEmptyValue, kindOf, opsByKind } from "./value-kinds.ts";

export interface FieldRef {
  name: string;
  kind: ValueKind;
}

export interface OrderedField {
  name: string;
  kind: OrderedKind;
}

/** The right side of an order test: a literal of the field's kind, or another field. */
export type Bound = { literal: Literal } | { field: OrderedField };

/**
 * The tests of both interpreters. Each is plainly true or false for a record; if a side is empty, every test
 * except `empty` and `same` is false.
 */
export type Test =
  | { op: "empty"; field: FieldRef }
  /** Equal to one of these; never an empty set. */
  | { op: "among"; field: OrderedField; literals: readonly Literal[] }
  /** Both empty, or equal. */
  | { op: "same"; field: FieldRef; other: FieldRef }
  | { op: "lt" | "lte" | "gt" | "gte"; field: OrderedField; bound: Bound }
  | { op: "contains" | "startsWith"; field: FieldRef; folded: string }
  /** A list that contains the text, or the other field's text. */
  | { op: "holds"; field: FieldRef; element: Bound }
  /** A list of exactly these elements in this order; never empty. */
  | { op: "elements"; field: FieldRef; elements: readonly string[] };

/** One comparison as tests joined by `and`/`or`, the whole of it negated or not. */
interface PlannedTests {
  tests: readonly Test[];
  join: "and" | "or";
  negated: boolean;
}

/** Plans one comparison, or returns null if it can't be evaluated. */
export function planComparison(
  { op, value = null }: Comparison,
  field: FieldRef,
  kinds: FieldKinds,
): PlannedTests | null {
  if (!opsByKind[field.kind].includes(op)) return null;
  switch (op) {
    case "eq":
    case "ne":
      return joined(equalTo(field, [value], kinds), "or", op === "ne");
    case "in":
    case "nin":
      return joined(Array.isArray(value) ? equalTo(field, value, kinds) : null, "or", op === "nin");
    case "lt":
    case "lte":
    case "gt":
    case "gte":
      return joined(ordered(field, op, value, kinds), "and");
    case "between":
      return joined(between(field, value, kinds), "and");
    case "contains":
    case "startsWith":
      return joined(searched(field, op, value, kinds), "and");
    case "isEmpty": {
      const usable = value === null || typeof value === "boolean";
      return joined(usable ? [{ op: "empty", field }] : null, "or", value === false);
    }
  }
}

function joined(
  tests: readonly Test[] | null,
  join: "and" | "or",
  negated = false,
): PlannedTests | null {
  return tests && { tests, join, negated };
}

function otherField(name: string, field: FieldRef, kinds: FieldKinds): FieldRef | null {
  const kind = kindOf(kinds, name);
  return kind && areComparable(field.kind, kind) ? { name, kind } : null;
}

/** Tests of which one is true if the field equals one of the values. */
function equalTo(field: FieldRef, values: readonly Json[], kinds: FieldKinds): Test[] | null {
  const tests: Test[] = [];
  const literals: Literal[] = [];
  for (const value of values) {
    const operand = readOperand(value);
    if (operand.type === "field") {
      const other = otherField(operand.field, field, kinds);
      if (!other) return null;
      tests.push({ op: "same", field, other });
    } else if (operand.type !== "value") {
      return null;
    } else if (isEmptyValue(field.kind, operand.value)) {
      tests.push({ op: "empty", field });
    } else if (field.kind === "list") {
      const elements = readElements(operand.value);
      if (!elements) return null;
      tests.push({ op: "elements", field, elements });
    } else {
      const literal = isOrdered(field.kind) ? readLiteral(field.kind, operand.value) : null;
      if (literal === null) return null;
      literals.push(literal);
    }
  }
  if (literals.length > 0 && isOrdered(field.kind)) {
    tests.push({ op: "among", field: { name: field.name, kind: field.kind }, literals });
  }
  return tests;
}

/** The elements of a list literal, or null if one of them is not plain text. */
export function readElements(value: Json): string[] | null {
  if (!Array.isArray(value)) return null;
  const elements: string[] = [];
  for (const element of value) {
    const operand = readOperand(element);
    const literal = operand.type === "value" ? readLiteral("text", operand.value) : null;
    if (typeof literal !== "string") return null;
    elements.push(literal);
  }
  return elements;
}

function readBound(kind: OrderedKind, value: Json, kinds: FieldKinds): Bound | null {
  const operand = readOperand(value);
  if (operand.type === "field") {
    const other = otherField(operand.field, { name: "", kind }, kinds);
    return other && isOrdered(other.kind)
      ? { field: { name: other.name, kind: other.kind } }
      : null;
  }
  const literal = operand.type === "value" ? readLiteral(kind, operand.value) : null;
  return literal === null ? null : { literal };
}

function ordered(
  { name, kind }: FieldRef,
  op: "lt" | "lte" | "gt" | "gte",
  value: Json,
  kinds: FieldKinds,
): Test[] | null {
  const bound = isOrdered(kind) ? readBound(kind, value, kinds) : null;
  return bound && isOrdered(kind) ? [{ op, field: { name, kind }, bound }] : null;
}

function between(field: FieldRef, value: Json, kinds: FieldKinds): Test[] | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const low = ordered(field, "gte", value[0] ?? null, kinds);
  const high = ordered(field, "lte", value[1] ?? null, kinds);
  return low && high && [...low, ...high];
}

function searched(
  field: FieldRef,
  op: "contains" | "startsWith",
  value: Json,
  kinds: FieldKinds,
): Test[] | null {
  const element = readBound("text", value, kinds);
  if (!element) return null;
  if (field.kind === "list") return [{ op: "holds", field, element }];
  if ("field" in element) return null;
  return [{ op, field, folded: foldCase(String(element.literal)) }];
}
