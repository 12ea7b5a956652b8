import { explain } from "../../error-texts/explain.ts";
import { explainModel } from "../../error-texts/model-texts.ts";
import { usesClock, usesCurrentUser } from "../../filter/bind-filter.ts";
import { checkFilter } from "../../filter/check-filter.ts";
import type { Filter, ValueKind } from "../../filter/filter.ts";
import { ID_FIELD, isNumeric, isTemporal } from "../../filter/value-kinds.ts";
import { hasProperty, kindOfType } from "../field-types.ts";
import { type Field, fieldKinds, findField, type Table } from "../model.ts";
import {
  EXPRESSION_MAX_PARTS,
  type Expression,
  type ExpressionProblem,
  type FunctionName,
  type Parsed,
  type ResultKind,
  ROUND_MAX_DIGITS,
} from "./expression.ts";
import { namesIn, partsOf, readExpression, readsOf } from "./expression-of.ts";
import { ExpressionError } from "./tokens.ts";

const nameOf = (kind: ResultKind) => explain(`expression.${kind}`);

/** The problem of a field's expression that follows from its table; null if it can be published. */
export function checkExpression(field: Field, table: Table): ExpressionProblem | null {
  const read = readExpression(field);
  if (!read) return null;
  if ("problem" in read) return read.problem;
  if (!hasProperty(field.type, "expression")) {
    return { at: 0, ...explain("expression.type") };
  }
  try {
    validateExpression(read.parsed, field, table);
  } catch (error) {
    if (error instanceof ExpressionError) return error.problem;
    throw error;
  }
  return tooMuch(read.parsed, field, table);
}

function validateExpression(parsed: Parsed, field: Field, table: Table): void {
  if ("condition" in parsed) {
    validateCondition(parsed.condition, parsed.at, table);
    return;
  }
  const kind = kindOf(parsed.value, table);
  const expected = resultOf(kindOfType[field.type]) as ResultKind;
  if (kind === expected) return;
  const kinds = { kind: nameOf(kind), expected: nameOf(expected) };
  throw new ExpressionError(parsed.value.at, explain("expression.result", kinds));
}

/** A condition must have the same result at any time and for every user, because the result is stored. */
function validateCondition(filter: Filter, at: number, table: Table): void {
  const problem = checkFilter(filter, fieldKinds(table));
  if (problem) throw new ExpressionError(at, problem);
  if (usesClock(filter) || usesCurrentUser(filter)) {
    throw new ExpressionError(at, explain("expression.clock"));
  }
}

function kindOf(expression: Expression, table: Table): ResultKind {
  switch (expression.type) {
    case "number":
    case "text":
      return expression.type;
    case "field":
      return kindOfField(expression.name, expression.at, table);
    case "negate":
      return require("number", expression.of, table);
    case "arithmetic":
      require("number", expression.left, table);
      return require("number", expression.right, table);
    case "joined":
      for (const part of expression.parts) {
        if (kindOf(part, table) !== "timestamp") continue;
        throw new ExpressionError(part.at, explain("expression.joinedTime"));
      }
      return "text";
    case "if":
      validateCondition(expression.when, expression.at, table);
      return requireSameKind(
        [expression.then, ...(expression.otherwise ? [expression.otherwise] : [])],
        table,
      );
    case "call":
      return kindOfCall(expression.call, expression.args, table);
  }
}

function kindOfField(name: string, at: number, table: Table): ResultKind {
  if (name === ID_FIELD) return "text";
  const field = findField(table, name);
  if (!field) {
    throw new ExpressionError(
      at,
      explainModel("model.unknownField", { field: JSON.stringify(name) }),
    );
  }
  const kind = resultOf(kindOfType[field.type]);
  if (kind !== null) return kind;
  throw new ExpressionError(at, explain("expression.conditionsOnly", { field: field.label }));
}

/** What an expression computes for a field of a kind, or reads of it. Conditions are no value of an expression. */
function resultOf(kind: ValueKind): ResultKind | null {
  if (isNumeric(kind)) return "number";
  return kind === "text" || isTemporal(kind) ? kind : null;
}

function require(expected: ResultKind, expression: Expression, table: Table): ResultKind {
  const kind = kindOf(expression, table);
  if (kind === expected) return kind;
  const kinds = { kind: nameOf(kind), expected: nameOf(expected) };
  throw new ExpressionError(expression.at, explain("expression.kind", kinds));
}

function requireSameKind(parts: readonly Expression[], table: Table): ResultKind {
  const [first, ...others] = parts as [Expression, ...Expression[]];
  const kind = kindOf(first, table);
  for (const part of others) require(kind, part, table);
  return kind;
}

function kindOfCall(name: FunctionName, args: readonly Expression[], table: Table): ResultKind {
  const [first, second] = args as [Expression, Expression | undefined];
  switch (name) {
    case "first":
      return requireSameKind(args, table);
    case "days_between":
    case "hours_between":
    case "minutes_between":
    case "seconds_between": {
      const kind = requireSameKind(args, table);
      if (kind === "date" || kind === "timestamp") return "number";
      throw new ExpressionError(first.at, explain("expression.times"));
    }
    case "round": {
      const digits = second?.type === "number" ? Number(second.value) : 0;
      const isFine = second === undefined || (second.type === "number" && isDigits(digits));
      if (isFine) return require("number", first, table);
      const limit = ROUND_MAX_DIGITS;
      throw new ExpressionError(second.at, explain("expression.digits", { limit }));
    }
    default:
      for (const arg of args) require("number", arg, table);
      return "number";
  }
}

function isDigits(digits: number): boolean {
  return Number.isInteger(digits) && digits <= ROUND_MAX_DIGITS;
}

/** In Postgres, a computed field is expanded wherever its name is used, a number twice. */
function tooMuch(parsed: Parsed, field: Field, table: Table): ExpressionProblem | null {
  if (readsOf(field, table).has(field)) {
    return { at: 0, ...explain("expression.itself", { field: field.label }) };
  }
  if (writtenOut(parsed, table) <= EXPRESSION_MAX_PARTS) return null;
  return { at: 0, ...explain("expression.tooManyParts", { limit: EXPRESSION_MAX_PARTS }) };
}

function writtenOut(parsed: Parsed, table: Table): number {
  const own = "value" in parsed ? partsOf(parsed.value).length : 1;
  let parts = own;
  for (const name of namesIn(parsed)) {
    const read = findField(table, name);
    const inner = read && readExpression(read);
    parts += inner && "parsed" in inner ? 2 * own * writtenOut(inner.parsed, table) : 1;
    if (parts > EXPRESSION_MAX_PARTS) return parts;
  }
  return parts;
}
