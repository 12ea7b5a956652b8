import { type RawBuilder, sql } from "kysely";
import { ID_FIELD, isNumeric } from "../../../shared/filter/value-kinds.ts";
import {
  type Expression,
  type FunctionName,
  NUMBER_MAX_DIGITS,
  QUOTIENT_DIGITS,
  SECONDS_PER,
} from "../../../shared/model/expression/expression.ts";
import { expressionOf, namesIn } from "../../../shared/model/expression/expression-of.ts";
import { kindOfType, SHORT_TEXT_MAX_LENGTH, traitsOf } from "../../../shared/model/field-types.ts";
import { type Field, findField, type Table } from "../../../shared/model/model.ts";
import { type ColumnOf, filterResultSql } from "../filter-sql.ts";
import { columnRef, idRef } from "../identifiers.ts";
import { withLiterals } from "../literals.ts";

/**
 * Expressions as SQL for a generated column, from the parsed tree alone: identifiers by `sql.id`, constants
 * as literals. Postgres requires it to be immutable (no clock, zone or settings) and free of other generated
 * columns, so computed fields that it reads are expanded. It must never fail, because it would make any
 * program's write fail.
 * shared/model/expression/compute-values.ts does the same in memory; the property test checks that they
 * agree.
 */

type Sql = RawBuilder<unknown>;

/** The generation expression of a computed field's column; null for a field that users fill. */
export function generationSql(table: Table, field: Field): Sql | null {
  const parsed = expressionOf(field);
  if (!parsed) return null;
  if ("condition" in parsed) return conditionSql(parsed.condition, table);
  return fitToField(field, valueSql(parsed.value, table));
}

function conditionSql(filter: Parameters<typeof filterResultSql>[0], table: Table): Sql {
  const columnOf: ColumnOf = (name) => {
    if (name === ID_FIELD) return { expression: idRef(), kind: "text" };
    const field = findField(table, name);
    return field && { expression: columnSql(table, field), kind: kindOfType[field.type] };
  };
  return withLiterals(filterResultSql(filter, columnOf));
}

function columnSql(table: Table, field: Field): Sql {
  return generationSql(table, field) ?? columnRef(field);
}

const MAX_SAFE = "9007199254740991";

/** The value as the field stores it; empty if it does not fit. */
function fitToField(field: Field, value: Sql): Sql {
  switch (kindOfType[field.type]) {
    case "integer":
      return sql`(case when abs(round(${value})) <= ${sql.raw(MAX_SAFE)}
        then round(${value})::bigint end)`;
    case "decimal": {
      const scale = field.scale ?? 2;
      const bound = sql.raw(`1e${NUMBER_MAX_DIGITS - scale}`);
      const rounded = sql`round(${value}, ${sql.lit(scale)})`;
      return sql`(case when abs(${rounded}) < ${bound} then ${rounded} end)`;
    }
    case "text": {
      const { maxLength = SHORT_TEXT_MAX_LENGTH } = traitsOf(field.type);
      return sql`left(${value}, ${sql.lit(maxLength)})`;
    }
    default:
      return value;
  }
}

/** Numbers as numeric, texts never empty. */
function valueSql(expression: Expression, table: Table): Sql {
  switch (expression.type) {
    case "number":
      return sql`${sql.lit(expression.value)}::numeric`;
    case "text":
      return constantText(expression.value);
    case "field":
      return fieldSql(expression.name, table);
    case "negate":
      return sql`(- ${valueSql(expression.of, table)})`;
    case "arithmetic":
      return arithmeticSql(expression, table);
    case "joined":
      return joinedSql(expression.parts, table);
    case "if": {
      const { when, then, otherwise } = expression;
      const rest = otherwise ? sql`else ${valueSql(otherwise, table)}` : sql``;
      return sql`(case when ${conditionSql(when, table)} then ${valueSql(then, table)} ${rest} end)`;
    }
    case "call":
      return callSql(expression.call, expression.args, table);
  }
}

function constantText(value: string): Sql {
  return value === "" ? sql`null::text` : inEachRow(sql`${sql.lit(value)}::text`);
}

/**
 * A constant that Postgres does not recognise as one: it compares constant texts while it parses a column's
 * declaration, before it knows the collation, and refuses.
 */
function inEachRow(constant: Sql): Sql {
  return sql`(case when ${idRef()} is not null then ${constant} end)`;
}

function fieldSql(name: string, table: Table): Sql {
  const field = findField(table, name);
  if (!field) return sql`nullif(${idRef()}, '')`;
  const column = columnSql(table, field);
  switch (kindOfType[field.type]) {
    case "integer":
    case "decimal":
      return sql`nullif(${column}::numeric, 'NaN')`;
    // Infinities and distant years, which other programs may write, count as empty.
    case "date":
      return sql`(case when ${column} between '0001-01-01' and '9999-12-31' then ${column} end)`;
    case "timestamp":
      return sql`(case when ${column} between '0001-01-01T00:00:00Z' and '9999-12-31T23:59:59.999999Z'
        then ${column} end)`;
    default:
      return sql`nullif(${column}, '')`;
  }
}

const signs = { "+": sql`+`, "-": sql`-`, "*": sql`*` };

function arithmeticSql(
  { op, left, right }: Expression & { type: "arithmetic" },
  table: Table,
): Sql {
  const [a, b] = [valueSql(left, table), valueSql(right, table)];
  return op === "/" ? quotient(a, b) : sql`(${a} ${signs[op]} ${b})`;
}

/** `div` truncates exactly, where `/` chooses its digits by the size of its arguments. */
function quotient(a: Sql, b: Sql): Sql {
  const digits = QUOTIENT_DIGITS + 1;
  const up = sql.raw(`1${"0".repeat(digits)}`);
  const down = sql.raw(`0.${"0".repeat(digits - 1)}1`);
  return sql`round(div(${a} * ${up}, nullif(${b}, 0)) * ${down}, ${sql.lit(QUOTIENT_DIGITS)})`;
}

function joinedSql(parts: readonly Expression[], table: Table): Sql {
  const texts = parts.map((part) => {
    const value = valueSql(part, table);
    return sql`coalesce(${asText(kindOf(part, table), value)}, '')`;
  });
  const joined = sql`${sql.join(texts, sql` || `)}`;
  const isConstant = parts.every((value) => namesIn({ value }).size === 0);
  return sql`nullif(${isConstant ? inEachRow(joined) : joined}, '')`;
}

/** Independent of the session's settings, which change the form of dates. */
function asText(kind: "number" | "date" | "text", value: Sql): Sql {
  if (kind === "number") return sql`trim_scale(${value})::text`;
  if (kind === "text") return value;
  const part = (name: string, digits: number) =>
    sql`lpad(extract(${sql.raw(name)} from ${value})::text, ${sql.lit(digits)}, '0')`;
  return sql`(${part("year", 4)} || '-' || ${part("month", 2)} || '-' || ${part("day", 2)})`;
}

/** A part that may be joined to a text; it was validated when it was declared. */
function kindOf(expression: Expression, table: Table): "number" | "date" | "text" {
  switch (expression.type) {
    case "text":
    case "joined":
      return "text";
    case "if":
      return kindOf(expression.then, table);
    case "field": {
      const field = findField(table, expression.name);
      const kind = field ? kindOfType[field.type] : "text";
      return isNumeric(kind) ? "number" : kind === "date" ? kind : "text";
    }
    case "call": {
      const [arg] = expression.args;
      return expression.call === "first" && arg ? kindOf(arg, table) : "number";
    }
    default:
      return "number";
  }
}

function callSql(name: FunctionName, args: readonly Expression[], table: Table): Sql {
  const values = args.map((arg) => valueSql(arg, table));
  const [first, second] = values as [Sql, Sql];
  switch (name) {
    case "first":
      return sql`coalesce(${sql.join(values)})`;
    case "min":
      return sql`least(${sql.join(values)})`;
    case "max":
      return sql`greatest(${sql.join(values)})`;
    case "round": {
      const digits = args[1]?.type === "number" ? Number(args[1].value) : 0;
      return sql`round(${first}, ${sql.lit(digits)})`;
    }
    case "floor":
      return sql`floor(${first})`;
    case "ceiling":
      return sql`ceil(${first})`;
    case "abs":
      return sql`abs(${first})`;
    default: {
      const seconds = sql`(${secondsSql(args[1] as Expression, second, table)} - ${secondsSql(args[0] as Expression, first, table)})`;
      return quotient(seconds, sql.lit(SECONDS_PER[name]));
    }
  }
}

/** Since 1970, to the microsecond. An instant is read in UTC, whatever the session's zone. */
function secondsSql(expression: Expression, value: Sql, table: Table): Sql {
  if (kindOf(expression, table) === "date") {
    return sql`((${value} - '1970-01-01'::date)::numeric * 86400)`;
  }
  return sql`extract(epoch from (${value} at time zone 'UTC'))`;
}
