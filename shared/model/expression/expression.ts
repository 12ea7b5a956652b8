import type { Explanation } from "../../error-texts/explain.ts";
import type { Filter } from "../../filter/filter.ts";

/**
 * A computed field's expression, as a user writes it:
 *
 *     quantity * price * (1 - discount / 100)
 *     first(nickname, [full name]) & " (" & number & ")"
 *     if(due < "2026-01-01" and state in ("New", "Active"), "old", "new")
 *     seconds_between(opened, resolved)
 *
 * The text is only ever parsed (parse-expression.ts) into the tree below. Postgres computes it by SQL made from
 * that tree (server/store/ddl/expression-sql.ts), in a generated column, so that it is right whoever writes the
 * record. compute-values.ts does the same in memory, to evaluate a record before it is written. A property test
 * checks that they agree.
 *
 * An expression can't fail: without a result (a division by zero, a number that does not fit) it is empty.
 */
export type Expression = { /** Where it begins in the text. */ at: number } & (
  | { type: "number"; value: string }
  | { type: "text"; value: string }
  | { type: "field"; name: string }
  | { type: "negate"; of: Expression }
  | { type: "arithmetic"; op: ArithmeticOp; left: Expression; right: Expression }
  /** Joined texts; an empty part adds nothing. */
  | { type: "joined"; parts: Expression[] }
  | { type: "if"; when: Filter; then: Expression; otherwise: Expression | null }
  | { type: "call"; call: FunctionName; args: Expression[] }
);

export type ArithmeticOp = "+" | "-" | "*" | "/";

/** The result of an expression: a value to be stored, or for yes/no fields a condition. */
export type Parsed = { value: Expression } | { condition: Filter; at: number };

/** The type of a result. */
export type ResultKind = "number" | "text" | "date" | "timestamp";

/** Why a text is not an expression: where in it, counted in UTF-16 units from 0, and a sentence. */
export interface ExpressionProblem extends Explanation {
  at: number;
}

/** The functions with their numbers of arguments. `round` takes its digits as a plain number. */
export const functions = {
  round: { least: 1, most: 2 },
  floor: { least: 1, most: 1 },
  ceiling: { least: 1, most: 1 },
  abs: { least: 1, most: 1 },
  /** The least and the greatest of the filled values. */
  min: { least: 2, most: 20 },
  max: { least: 2, most: 20 },
  /** The first filled value. */
  first: { least: 2, most: 20 },
  /** The time from one to the other, for two dates or two timestamps; negative if the second is earlier. */
  days_between: { least: 2, most: 2 },
  hours_between: { least: 2, most: 2 },
  minutes_between: { least: 2, most: 2 },
  seconds_between: { least: 2, most: 2 },
} as const satisfies Record<string, { least: number; most: number }>;

export type FunctionName = keyof typeof functions;

export const EXPRESSION_MAX_LENGTH = 2_000;
/** Bounds the depth of nested parentheses and functions, so that no expression exhausts the stack. */
export const EXPRESSION_MAX_DEPTH = 30;
/** Parts of an expression, including those of the computed fields that it reads. */
export const EXPRESSION_MAX_PARTS = 400;
/** Digits after the point of a quotient; the field itself has as many as it declares. */
export const QUOTIENT_DIGITS = 12;
/** Digits of a decimal column in Postgres, numeric(38, scale): values that do not fit are empty. */
export const NUMBER_MAX_DIGITS = 38;
export const ROUND_MAX_DIGITS = 20;

export const SECONDS_PER = {
  days_between: 86_400,
  hours_between: 3_600,
  minutes_between: 60,
  seconds_between: 1,
} as const;

/** Reserved words of conditions: a field of such a name is written in brackets. */
export const reservedWords: ReadonlySet<string> = new Set(
  "and or not in is between contains starts with empty true false".split(" "),
);
