import type { Filter } from "../../filter/filter.ts";

/**
 * A field that is worked out from others of its record, as a person writes it:
 *
 *     quantity * price * (1 - discount / 100)
 *     first(nickname, [full name]) & " (" & number & ")"
 *     if(due < "2026-01-01" and state in ("New", "Active"), "old", "new")
 *     seconds_between(opened, resolved)
 *
 * What is written is only ever parsed (parse-expression.ts) into the tree below. Postgres works it out
 * from SQL made of that tree (server/store/ddl/expression-sql.ts), in a generated column, so that it
 * holds whoever writes the record; evaluate.ts does the same in memory, for judging a record before it
 * is written. A property test holds that they agree.
 *
 * Nothing in it can fail: what has no result (a division by zero, a number that does not fit) is empty.
 */
export type Expression = { /** Where it begins in the text. */ at: number } & (
  | { type: "number"; value: string }
  | { type: "text"; value: string }
  | { type: "field"; name: string }
  | { type: "negate"; of: Expression }
  | { type: "arithmetic"; op: ArithmeticOp; left: Expression; right: Expression }
  /** Texts put together; an empty part adds nothing. */
  | { type: "joined"; parts: Expression[] }
  | { type: "if"; when: Filter; then: Expression; otherwise: Expression | null }
  | { type: "call"; call: FunctionName; args: Expression[] }
);

export type ArithmeticOp = "+" | "-" | "*" | "/";

/** What stands in an expression's place: a value to be kept, or for yes/no fields a condition. */
export type Parsed = { value: Expression } | { condition: Filter; at: number };

/** What an expression comes to. */
export type ResultKind = "number" | "text" | "date" | "timestamp";

/** Why a text is no expression: where in it, counted in UTF-16 units from 0, and a sentence. */
export interface ExpressionProblem {
  at: number;
  message: string;
}

/** The functions, with how many arguments each takes. `round` takes its digits as a plain number. */
export const functions = {
  round: { least: 1, most: 2 },
  floor: { least: 1, most: 1 },
  ceiling: { least: 1, most: 1 },
  abs: { least: 1, most: 1 },
  /** The least and the greatest of what is filled. */
  min: { least: 2, most: 20 },
  max: { least: 2, most: 20 },
  /** The first that is filled. */
  first: { least: 2, most: 20 },
  /** From the one to the other, of two dates or two timestamps; negative when they run backwards. */
  days_between: { least: 2, most: 2 },
  hours_between: { least: 2, most: 2 },
  minutes_between: { least: 2, most: 2 },
  seconds_between: { least: 2, most: 2 },
} as const satisfies Record<string, { least: number; most: number }>;

export type FunctionName = keyof typeof functions;

export const EXPRESSION_MAX_LENGTH = 2_000;
/** Parentheses and functions in each other, so that nobody exhausts the stack. */
export const EXPRESSION_MAX_DEPTH = 30;
/** Parts of an expression, those of the worked-out fields that it reads included. */
export const EXPRESSION_MAX_PARTS = 400;
/** Digits after the point that a quotient keeps; the field itself keeps as many as it declares. */
export const QUOTIENT_DIGITS = 12;
/** Digits of a decimal column in Postgres, numeric(38, scale): what does not fit in is empty. */
export const NUMBER_MAX_DIGITS = 38;
export const ROUND_MAX_DIGITS = 20;

export const SECONDS_PER = {
  days_between: 86_400,
  hours_between: 3_600,
  minutes_between: 60,
  seconds_between: 1,
} as const;

/** Words that stand for themselves in a condition: a field called so is written in brackets. */
export const reservedWords: ReadonlySet<string> = new Set(
  "and or not in is between contains starts with empty true false".split(" "),
);
