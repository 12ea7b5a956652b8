import { explain } from "../../error-texts/explain.ts";
import {
  type ArithmeticOp,
  EXPRESSION_MAX_DEPTH,
  type Expression,
  type ExpressionProblem,
  type FunctionName,
  functions,
  type Parsed,
} from "./expression.ts";
import { parseCondition, parseFieldName } from "./parse-condition.ts";
import { ExpressionError, TokenReader } from "./tokens.ts";

/**
 * Parses an expression; a yes/no field's is a condition. A strict hand-written parser: what the grammar does
 * not know is refused, with its place. check-expression.ts validates names and kinds.
 */
export function parseExpression(
  text: string,
  isCondition: boolean,
): { parsed: Parsed } | { problem: ExpressionProblem } {
  try {
    const reader = new TokenReader(text);
    const { at } = reader.next;
    const parsed: Parsed = isCondition
      ? { condition: parseCondition(reader), at }
      : { value: parseJoined(reader, 0) };
    if (reader.next.kind !== "end") throw reader.unexpected(explain("expression.end"));
    return { parsed };
  } catch (error) {
    if (error instanceof ExpressionError) return { problem: error.problem };
    throw error;
  }
}

/** `a & b & c`, which binds least. */
function parseJoined(reader: TokenReader, depth: number): Expression {
  if (depth > EXPRESSION_MAX_DEPTH) {
    throw new ExpressionError(reader.next.at, explain("expression.depth"));
  }
  const { at } = reader.next;
  const first = parseSum(reader, depth);
  if (!reader.isNext("&")) return first;
  const parts = [first];
  while (reader.accept("&")) parts.push(parseSum(reader, depth));
  return { type: "joined", at, parts };
}

const parseSum = leftToRight(["+", "-"], (reader, depth) => parseProduct(reader, depth));
const parseProduct = leftToRight(["*", "/"], parseSigned);

function leftToRight(
  ops: readonly ArithmeticOp[],
  parsePart: (reader: TokenReader, depth: number) => Expression,
) {
  return (reader: TokenReader, depth: number): Expression => {
    const { at } = reader.next;
    let left = parsePart(reader, depth);
    for (;;) {
      const op = ops.find((one) => reader.accept(one));
      if (!op) return left;
      left = { type: "arithmetic", at, op, left, right: parsePart(reader, depth) };
    }
  };
}

function parseSigned(reader: TokenReader, depth: number): Expression {
  if (depth > EXPRESSION_MAX_DEPTH) {
    throw new ExpressionError(reader.next.at, explain("expression.depth"));
  }
  const { at } = reader.next;
  if (reader.accept("-")) return { type: "negate", at, of: parseSigned(reader, depth + 1) };
  return parsePrimary(reader, depth);
}

function parsePrimary(reader: TokenReader, depth: number): Expression {
  const { kind, value, at } = reader.next;
  if (kind === "number" || kind === "text") return { type: kind, at, value: reader.take().value };
  if (reader.accept("(")) {
    const inner = parseJoined(reader, depth + 1);
    reader.expect(")");
    return inner;
  }
  const { kind: kindAfter, value: valueAfter } = reader.afterNext;
  if (kind === "name" && kindAfter === "sign" && valueAfter === "(") {
    reader.take();
    reader.take();
    return value === "if" ? parseIf(reader, at, depth) : parseCall(reader, value, at, depth);
  }
  return { type: "field", name: parseFieldName(reader), at };
}

function parseIf(reader: TokenReader, at: number, depth: number): Expression {
  const when = parseCondition(reader, depth + 1);
  reader.expect(",");
  const then = parseJoined(reader, depth + 1);
  const otherwise = reader.accept(",") ? parseJoined(reader, depth + 1) : null;
  reader.expect(")");
  return { type: "if", when, at, then, otherwise };
}

function parseCall(reader: TokenReader, name: string, at: number, depth: number): Expression {
  if (!isFunction(name)) {
    const known = ["if", ...Object.keys(functions)];
    throw new ExpressionError(at, explain("expression.function", { name, known }));
  }
  const args: Expression[] = [];
  do args.push(parseJoined(reader, depth + 1));
  while (reader.accept(","));
  reader.expect(")");
  const { least, most } = functions[name];
  if (args.length < least || args.length > most) {
    const numbers = { name, least, count: args.length };
    throw new ExpressionError(
      at,
      least === most
        ? explain("expression.arguments", numbers)
        : explain("expression.argumentRange", { ...numbers, most }),
    );
  }
  return { type: "call", call: name, at, args };
}

function isFunction(name: string): name is FunctionName {
  return Object.hasOwn(functions, name);
}
