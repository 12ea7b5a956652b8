import { type RawBuilder, sql } from "kysely";

const functions = {
  sum: sql`sum`,
  avg: sql`avg`,
  min: sql`min`,
  max: sql`max`,
} as const;

export type Aggregate = keyof typeof functions;

/**
 * An aggregate function over an expression. The SQL text comes from the table above: a name that is
 * not in it, wherever it came from, never reaches the statement.
 */
export function aggregate(name: Aggregate, value: RawBuilder<unknown>): RawBuilder<unknown> {
  if (!Object.hasOwn(functions, name)) throw new Error("There is no such aggregate function.");
  return sql`${functions[name]}(${value})`;
}
