import {
  type Explanation,
  englishText,
  explain,
  explanationOf,
} from "../../error-texts/explain.ts";
import { EXPRESSION_MAX_LENGTH, type ExpressionProblem } from "./expression.ts";

/** A token of an expression. `at` and `end` count UTF-16 units from the start. */
export interface Token {
  kind: "number" | "text" | "name" | "bracketed" | "sign" | "end";
  /** Its meaning, without quotes and brackets. */
  value: string;
  at: number;
  end: number;
}

/** Thrown inside the parser only; parseExpression returns it. */
export class ExpressionError extends Error {
  readonly problem: ExpressionProblem;

  constructor(at: number, explanation: Explanation) {
    super(englishText(explanation));
    this.problem = { at, ...explanationOf(explanation) };
  }
}

const forms: readonly [Token["kind"], RegExp, (text: string) => string][] = [
  ["number", /\d{1,20}(?:\.\d{1,20})?(?![\p{L}\p{N}_.])/uy, (text) => text],
  ["text", /"(?:[^"]|"")*"/uy, (text) => text.slice(1, -1).replaceAll('""', '"')],
  ["bracketed", /\[(?:[^\]]|\]\])+\]/uy, (text) => text.slice(1, -1).replaceAll("]]", "]")],
  ["name", /[\p{L}_][\p{L}\p{M}\p{N}_]*/uy, (text) => text],
  ["sign", /!=|<>|<=|>=|[-+*/&(),=<>]/uy, (text) => text],
];

/** Splits a text into tokens; the last one marks the end. */
export function tokenize(text: string): Token[] {
  if (text.length > EXPRESSION_MAX_LENGTH) {
    const limit = EXPRESSION_MAX_LENGTH;
    throw new ExpressionError(limit, explain("expression.length", { limit }));
  }
  const tokens: Token[] = [];
  for (let at = skipSpace(text, 0); at < text.length; ) {
    const token = readToken(text, at);
    tokens.push(token);
    at = skipSpace(text, token.end);
  }
  return [...tokens, { kind: "end", value: "", at: text.length, end: text.length }];
}

function skipSpace(text: string, from: number): number {
  const space = /\s*/uy;
  space.lastIndex = from;
  space.exec(text);
  return space.lastIndex;
}

function readToken(text: string, at: number): Token {
  for (const [kind, form, read] of forms) {
    form.lastIndex = at;
    const [found] = form.exec(text) ?? [];
    if (found !== undefined) return { kind, value: read(found), at, end: at + found.length };
  }
  const character = String.fromCodePoint(text.codePointAt(at) as number);
  if (character === '"') throw new ExpressionError(at, explain("expression.openText"));
  if (character === "[") throw new ExpressionError(at, explain("expression.openName"));
  if (/\d/.test(character)) throw new ExpressionError(at, explain("expression.notNumber"));
  throw new ExpressionError(at, explain("expression.character", { character }));
}

/** Reads the tokens of an expression, one at a time. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  #place = 0;

  constructor(text: string) {
    this.#tokens = tokenize(text);
  }

  get next(): Token {
    return this.#tokens[this.#place] as Token;
  }

  get afterNext(): Token {
    return this.#tokens[this.#place + 1] ?? this.next;
  }

  take(): Token {
    const token = this.next;
    if (token.kind !== "end") this.#place += 1;
    return token;
  }

  /** Whether the next token is that sign, or that bare word. */
  isNext(word: string): boolean {
    const { kind, value } = this.next;
    return (kind === "sign" || kind === "name") && value === word;
  }

  /** Takes the next token if it matches. */
  accept(word: string): boolean {
    if (!this.isNext(word)) return false;
    this.take();
    return true;
  }

  expect(word: string): void {
    if (!this.accept(word)) throw this.unexpected(explain("expression.word", { word }));
  }

  /** The next token is not valid here. */
  unexpected(expected: Explanation): ExpressionError {
    const { kind, value, at } = this.next;
    const found =
      kind === "end" ? explain("expression.end") : explain("expression.word", { word: value });
    return new ExpressionError(at, explain("expression.found", { found, expected }));
  }
}
