import { type RawBuilder, type SqlBool, sql } from "kysely";
import { caseVariants } from "../../shared/filter/fold-case.ts";
import type { Literal } from "../../shared/filter/literal.ts";
import type { OrderedKind } from "../../shared/filter/ordering.ts";
import type { Bound, FieldRef, OrderedField, Test } from "../../shared/filter/plan-comparison.ts";

/**
 * One planned test as a SQL condition: true if it matches, false or null otherwise. Each can use an ordinary
 * index on the column, as far as its meaning allows.
 */

type Sql = RawBuilder<unknown>;
type Condition = RawBuilder<SqlBool>;
type ExpressionOf = (field: string) => Sql;

const orderSigns = { lt: sql`<`, lte: sql`<=`, gt: sql`>`, gte: sql`>=` };

export function testSql(test: Test, expressionOf: ExpressionOf): Condition {
  const column = expressionOf(test.field.name);
  switch (test.op) {
    case "empty":
      return emptySql(test.field, column);
    case "among":
      return amongSql(test.field.kind, column, test.literals);
    case "same":
      return sameSql(test.field, column, expressionOf(test.other.name));
    case "lt":
    case "lte":
    case "gt":
    case "gte":
      return orderedSql(test.op, test.field, test.bound, expressionOf);
    case "contains":
      return sql<SqlBool>`strpos(${foldedSql(column, test.folded)}, ${test.folded}::text) > 0`;
    case "startsWith":
      return sql<SqlBool>`starts_with(${foldedSql(column, test.folded)}, ${test.folded}::text)`;
    case "holds": {
      const { element } = test;
      if ("literal" in element) return sql<SqlBool>`${column} @> array[${element.literal}::text]`;
      return sql<SqlBool>`${filledText(expressionOf(element.field.name))} = any(${column})`;
    }
    case "elements":
      return sql<SqlBool>`${column} = ${test.elements}::text[]`;
  }
}

function emptySql({ kind }: FieldRef, column: Sql): Condition {
  if (kind === "text") return sql<SqlBool>`(${column} is null or ${column} = '')`;
  if (kind === "list") return sql<SqlBool>`(${column} is null or ${column} = '{}')`;
  if (kind === "json") return sql<SqlBool>`(${column} is null or ${column} = 'null'::jsonb)`;
  return sql<SqlBool>`${column} is null`;
}

const INT8_SAFE = /^[+-]?\d{1,18}$/;

/** The type of sent parameters; an integer stays one, so that an index on bigint is used. */
function parameterType(kind: OrderedKind, literals: readonly Literal[]): string {
  if (kind === "timestamp") return "timestamptz";
  if (kind !== "integer" && kind !== "decimal") return kind;
  const integral = literals.every((literal) => INT8_SAFE.test(String(literal)));
  return kind === "integer" && integral ? "bigint" : "numeric";
}

function parameter(kind: OrderedKind, literal: Literal): Sql {
  return sql`${literal}::${sql.raw(parameterType(kind, [literal]))}`;
}

function amongSql(kind: OrderedKind, column: Sql, literals: readonly Literal[]): Condition {
  const [first, ...others] = literals;
  if (first !== undefined && others.length === 0) {
    return sql<SqlBool>`${column} = ${parameter(kind, first)}`;
  }
  return sql<SqlBool>`${column} = any(${literals}::${sql.raw(parameterType(kind, literals))}[])`;
}

function sameSql({ kind }: FieldRef, left: Sql, right: Sql): Condition {
  if (kind === "list") {
    return sql<SqlBool>`(coalesce(${left}, '{}') collate "C") = coalesce(${right}, '{}')`;
  }
  if (kind !== "text") return sql<SqlBool>`${left} is not distinct from ${right}`;
  return sql<SqlBool>`${filledText(left)} is not distinct from nullif(${right}, '')`;
}

function filledText(column: Sql): Sql {
  return sql`(nullif(${column}, '') collate "C")`;
}

function orderedSql(
  op: keyof typeof orderSigns,
  { name, kind }: OrderedField,
  bound: Bound,
  expressionOf: ExpressionOf,
): Condition {
  const column = expressionOf(name);
  const sign = orderSigns[op];
  if ("field" in bound) {
    const other = expressionOf(bound.field.name);
    if (kind !== "text") return sql<SqlBool>`${column} ${sign} ${other}`;
    return sql<SqlBool>`${filledText(column)} ${sign} nullif(${other}, '')`;
  }
  const value = parameter(kind, bound.literal);
  if (kind !== "text") return sql<SqlBool>`${column} ${sign} ${value}`;
  const compared = sql<SqlBool>`((${column}) collate "C") ${sign} ${value}`;
  // Empty text counts as no value, and sorts below every other text.
  const isUpperBound = op === "lt" || op === "lte";
  return isUpperBound ? sql<SqlBool>`(${compared} and ${column} <> '')` : compared;
}

/**
 * The column's text folded as far as the searched text needs: the rule of shared/filter/fold-case.ts,
 * independent of any locale of the database.
 */
export function foldedSql(column: Sql, searched: string): Sql {
  const ascii = sql`lower((${column}) collate "C")`;
  const { from, to } = caseVariants(searched);
  return from === "" ? ascii : sql`translate(${ascii}, ${from}::text, ${to}::text)`;
}
