import { fieldsOf } from "../../filter/bind-filter.ts";
import type { Field, Table } from "../model.ts";
import type { Expression, ExpressionProblem, Parsed } from "./expression.ts";
import { parseExpression } from "./parse-expression.ts";

type Read = { parsed: Parsed } | { problem: ExpressionProblem };

/** Parsed once for each field of a model, because records are evaluated thousands of times. */
const known = new WeakMap<Field, { text: string; type: Field["type"]; read: Read }>();

/** The parsed expression of a field, or why it can't be parsed; null for a field that users fill. */
export function readExpression(field: Field): Read | null {
  const { expression: text, type } = field;
  if (text === undefined) return null;
  const found = known.get(field);
  if (found?.text === text && found.type === type) return found.read;
  const read = parseExpression(text, type === "boolean");
  known.set(field, { text, type, read });
  return read;
}

/** The same for a published field, whose expression is valid; null for all others. */
export function expressionOf(field: Field): Parsed | null {
  const read = readExpression(field);
  return read && "parsed" in read ? read.parsed : null;
}

/** Found once: every field that reads another asks for all that is read by that one. */
const knownNames = new WeakMap<Parsed, ReadonlySet<string>>();

/** The names of the fields that are read, each once. */
export function namesIn(parsed: Parsed): ReadonlySet<string> {
  const found = knownNames.get(parsed);
  if (found) return found;
  const names =
    "condition" in parsed
      ? fieldsOf(parsed.condition)
      : new Set(partsOf(parsed.value).flatMap(namesOfPart));
  knownNames.set(parsed, names);
  return names;
}

function namesOfPart(part: Expression): string[] {
  if (part.type === "if") return [...fieldsOf(part.when)];
  return part.type === "field" ? [part.name] : [];
}

/** An expression and all its parts. */
export function partsOf(expression: Expression): Expression[] {
  return [expression, ...childrenOf(expression).flatMap(partsOf)];
}

function childrenOf(expression: Expression): Expression[] {
  switch (expression.type) {
    case "negate":
      return [expression.of];
    case "arithmetic":
      return [expression.left, expression.right];
    case "joined":
      return expression.parts;
    case "if":
      return [expression.then, ...(expression.otherwise ? [expression.otherwise] : [])];
    case "call":
      return expression.args;
    default:
      return [];
  }
}

/** Every field that a computed field reads, directly or indirectly; empty for a field that users fill. */
export function readsOf(field: Field, table: Table): Set<Field> {
  return reachedFrom(field, table, namesRead);
}

/**
 * Every field that a field's value may be derived from, directly or indirectly: those that its expression
 * reads and those that its derivation looks up. The value may reveal something of each of them.
 */
export function inputsOf(field: Field, table: Table): Set<Field> {
  return reachedFrom(field, table, (one) => [...namesRead(one), ...(one.derive?.fields ?? [])]);
}

function namesRead(field: Field): string[] {
  const parsed = expressionOf(field);
  return parsed ? [...namesIn(parsed)] : [];
}

function reachedFrom(field: Field, table: Table, namesOf: (one: Field) => string[]): Set<Field> {
  const reached = new Set<Field>();
  // As findField does, which would make this cubic in the number of fields: of two with one name the first counts.
  const fields = new Map([...table.fields].reverse().map((one) => [one.name, one]));
  const visit = (one: Field): void => {
    for (const name of namesOf(one)) {
      const next = fields.get(name);
      if (!next || reached.has(next)) continue;
      reached.add(next);
      visit(next);
    }
  };
  visit(field);
  return reached;
}

const orders = new WeakMap<Table, readonly Field[]>();

/** The computed fields of a table in evaluation order: each after those that it reads. */
export function computedFields(table: Table): readonly Field[] {
  const known = orders.get(table);
  if (known) return known;
  const workedOut = table.fields.filter((field) => expressionOf(field));
  const reads = new Map(workedOut.map((field) => [field, readsOf(field, table)]));
  const order = workedOut.sort((a, b) => (reads.get(a)?.size ?? 0) - (reads.get(b)?.size ?? 0));
  orders.set(table, order);
  return order;
}
