import { explain } from "../../error-texts/explain.ts";
import type { Comparison, ComparisonOp, Filter, Json } from "../../filter/filter.ts";
import { literalText } from "../../filter/operand.ts";
import { EXPRESSION_MAX_DEPTH, reservedWords } from "./expression.ts";
import { ExpressionError, type TokenReader } from "./tokens.ts";

/**
 * A condition in an expression is the filter language, written out: `due < resolved and not (state in ("New",
 * "Active") or title is empty)` is parsed into the equivalent filter.
 */
export function parseCondition(reader: TokenReader, depth = 0): Filter {
  if (depth > EXPRESSION_MAX_DEPTH) {
    throw new ExpressionError(reader.next.at, explain("expression.depth"));
  }
  const either = parseAll(reader, depth);
  if (!reader.isNext("or")) return either;
  const parts = [either];
  while (reader.accept("or")) parts.push(parseAll(reader, depth));
  return { or: parts };
}

function parseAll(reader: TokenReader, depth: number): Filter {
  const first = parsePart(reader, depth);
  if (!reader.isNext("and")) return first;
  const parts = [first];
  while (reader.accept("and")) parts.push(parsePart(reader, depth));
  return { and: parts };
}

function parsePart(reader: TokenReader, depth: number): Filter {
  if (reader.accept("not")) {
    if (depth > EXPRESSION_MAX_DEPTH) throw reader.unexpected(explain("expression.comparison"));
    return { not: parsePart(reader, depth + 1) };
  }
  if (!reader.accept("(")) return parseComparison(reader);
  const inner = parseCondition(reader, depth + 1);
  reader.expect(")");
  return inner;
}

const signs: Readonly<Record<string, ComparisonOp>> = {
  "=": "eq",
  "!=": "ne",
  "<>": "ne",
  "<": "lt",
  "<=": "lte",
  ">": "gt",
  ">=": "gte",
};

function parseComparison(reader: TokenReader): Comparison {
  const field = parseFieldName(reader);
  const { kind, value } = reader.next;
  const op = kind === "sign" && Object.hasOwn(signs, value) ? signs[value] : undefined;
  if (op) {
    reader.take();
    return { field, op, value: parseOperand(reader) };
  }
  if (reader.accept("is")) {
    const filled = reader.accept("not");
    reader.expect("empty");
    return { field, op: "isEmpty", value: !filled };
  }
  if (reader.accept("between")) {
    const low = parseOperand(reader);
    reader.expect("and");
    return { field, op: "between", value: [low, parseOperand(reader)] };
  }
  if (reader.accept("contains")) return { field, op: "contains", value: parseOperand(reader) };
  if (reader.accept("starts")) {
    reader.expect("with");
    return { field, op: "startsWith", value: parseOperand(reader) };
  }
  if (reader.accept("in")) return { field, op: "in", value: parseList(reader) };
  if (reader.accept("not")) {
    reader.expect("in");
    return { field, op: "nin", value: parseList(reader) };
  }
  throw reader.unexpected(explain("expression.comparison"));
}

function parseList(reader: TokenReader): Json[] {
  reader.expect("(");
  const values = [parseOperand(reader)];
  while (reader.accept(",")) values.push(parseOperand(reader));
  reader.expect(")");
  return values;
}

/** The right side of a comparison: a plain value, or another field. */
function parseOperand(reader: TokenReader): Json {
  const { kind, value } = reader.next;
  if (kind === "text") return literalText(reader.take().value);
  if (kind === "number") return reader.take().value;
  if (reader.accept("-")) {
    if (reader.next.kind !== "number") throw reader.unexpected(explain("expression.number"));
    return `-${reader.take().value}`;
  }
  if (kind === "name" && (value === "true" || value === "false")) {
    return reader.take().value === "true";
  }
  return { field: parseFieldName(reader) };
}

/** A bare name, or anything in brackets. */
export function parseFieldName(reader: TokenReader): string {
  const { kind, value } = reader.next;
  if (kind === "bracketed" || (kind === "name" && !reservedWords.has(value))) {
    return reader.take().value;
  }
  throw reader.unexpected(explain("expression.field"));
}
