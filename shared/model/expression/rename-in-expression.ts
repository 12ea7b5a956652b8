import { reservedWords } from "./expression.ts";
import { ExpressionError, tokenize } from "./tokens.ts";

/** An expression under the new names of its fields; unchanged if it can't be parsed. */
export function renameInExpression(text: string, nameOf: (field: string) => string): string {
  try {
    const tokens = tokenize(text);
    let renamed = text;
    for (const [index, { kind, value, at, end }] of [...tokens.entries()].reverse()) {
      const after = tokens[index + 1];
      const isCall = after?.kind === "sign" && after.value === "(";
      const isField =
        kind === "bracketed" || (kind === "name" && !isCall && !reservedWords.has(value));
      const name = isField ? nameOf(value) : value;
      if (name !== value) renamed = renamed.slice(0, at) + writtenName(name) + renamed.slice(end);
    }
    return renamed;
  } catch (error) {
    if (error instanceof ExpressionError) return text;
    throw error;
  }
}

/** A field's name as it is written in an expression. */
export function writtenName(name: string): string {
  const isPlain = /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u.test(name) && !reservedWords.has(name);
  return isPlain ? name : `[${name.replaceAll("]", "]]")}]`;
}
