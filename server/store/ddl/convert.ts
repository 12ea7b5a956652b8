import { type RawBuilder, type SqlBool, sql } from "kysely";
import { isNumeric } from "../../../shared/filter/value-kinds.ts";
import { kindOfType, SHORT_TEXT_MAX_LENGTH, traitsOf } from "../../../shared/model/field-types.ts";
import type { Field } from "../../../shared/model/model.ts";
import { textOf } from "../columns.ts";
import { columnRef, identifier, idRef } from "../identifiers.ts";
import type { Sql } from "./field-ddl.ts";

/**
 * Converts a column's values when its field is retyped. Everything is read as text and parsed by rules under
 * which no value makes a statement fail: values that do not fit are emptied before, and values that fit but
 * are not `lossless` lose something (digits, a time of day).
 */
interface Conversion {
  /** Whether a non-empty value can be converted. */
  fits: RawBuilder<SqlBool>;
  /** Whether the conversion loses nothing. */
  lossless: RawBuilder<SqlBool>;
  /** The new value, for those that fit. */
  value: Sql;
}

/** `target` is the linked table's name while this runs; null if it does not exist yet. */
export function conversion(from: Field, to: Field, target: string | null): Conversion {
  const column = columnRef(from);
  const kind = kindOfType[to.type];
  const kindBefore = kindOfType[from.type];
  const text = textOf(from, column);
  const whole = (fits: RawBuilder<SqlBool>, value: Sql): Conversion => ({
    fits,
    lossless: fits,
    value,
  });
  const isNumber = isNumeric(kindBefore);
  switch (kind) {
    case "text":
      return whole(textFits(to, text, target), text);
    case "integer":
      return isNumber
        ? rounded(column, 0, 15, "bigint")
        : number(text, "\\d{1,15}", sql`trim(${text})::bigint`);
    case "decimal":
      return toDecimal(column, text, to.scale ?? 2, isNumber);
    case "boolean":
      return whole(
        sql`lower(trim(${text})) in ('true', 'false', 'yes', 'no', '1', '0')`,
        sql`lower(trim(${text})) in ('true', 'yes', '1')`,
      );
    case "date":
      return toDate(column, text, kindBefore === "timestamp");
    case "timestamp":
      return kindBefore === "date"
        ? whole(sql`true`, sql`(${column}::timestamp at time zone 'UTC')`)
        : whole(
            sql`(${looksLike(text, "\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d.*")} and watchfloor.try_cast(${text}, 'timestamptz') is not null)`,
            sql`watchfloor.try_cast(${text}, 'timestamptz')::timestamptz`,
          );
    case "list":
      return kindBefore === "list"
        ? whole(sql`true`, column)
        : whole(isOption(to, text), sql`array[${text}]`);
    case "json":
      return whole(sql`true`, kindBefore === "json" ? column : sql`to_jsonb(${column})`);
  }
}

function looksLike(text: Sql, pattern: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${text} ~ ${sql.lit(`^\\s*${pattern}\\s*$`)}`;
}

/** A text as a number: leading zeros and a plus are lost, which a code or a phone number needs. */
function number(text: Sql, pattern: string, value: Sql): Conversion {
  const fits = looksLike(text, `[-+]?${pattern}`);
  const isPlain = looksLike(text, "-?(0|[1-9]\\d*)(\\.\\d*)?");
  return { fits, lossless: sql<SqlBool>`(${fits} and ${isPlain})`, value };
}

function isOption({ options = [] }: Field, text: Sql): RawBuilder<SqlBool> {
  if (options.length === 0) return sql<SqlBool>`false`;
  return sql<SqlBool>`${text} in (${sql.join(options.map(({ value }) => sql.lit(value)))})`;
}

function textFits(to: Field, text: Sql, target: string | null): RawBuilder<SqlBool> {
  const { names, maxLength = SHORT_TEXT_MAX_LENGTH, shape } = traitsOf(to.type);
  switch (names) {
    case "option":
      return isOption(to, text);
    case "record":
      if (target === null) return sql<SqlBool>`false`;
      return sql<SqlBool>`exists (select from ${identifier(target)} l where ${idRef("l")} = ${text})`;
    case "user":
      return sql<SqlBool>`exists (select from watchfloor."user" l where l.id = ${text})`;
  }
  const isShort = sql<SqlBool>`length(${text}) <= ${sql.lit(maxLength)}`;
  if (!shape) return isShort;
  return sql<SqlBool>`(${isShort} and ${text} ~* ${sql.lit(shape.pattern.source)})`;
}

function rounded(column: Sql, scale: number, digits: number, type: string): Conversion {
  const value = sql`round(${column}::numeric, ${sql.lit(scale)})`;
  return {
    fits: sql<SqlBool>`abs(${value}) < ${sql.raw(`1e${digits}`)}`,
    lossless: sql<SqlBool>`(abs(${value}) < ${sql.raw(`1e${digits}`)} and ${value} = ${column})`,
    value: sql`${value}::${sql.raw(type)}`,
  };
}

/** Digits of every decimal column: numeric(38, scale). */
const DECIMAL_DIGITS = 38;

function toDecimal(column: Sql, text: Sql, scale: number, isNumber: boolean): Conversion {
  const whole = DECIMAL_DIGITS - scale;
  if (isNumber) return rounded(column, scale, whole, `numeric(${DECIMAL_DIGITS}, ${scale})`);
  return number(text, `\\d{1,${whole}}(\\.\\d{0,${scale}}0*)?`, sql`trim(${text})::numeric`);
}

function toDate(column: Sql, text: Sql, isTimestamp: boolean): Conversion {
  if (isTimestamp) {
    const utc = sql`(${column} at time zone 'UTC')`;
    const lossless = sql<SqlBool>`${utc} = date_trunc('day', ${utc})`;
    return { fits: sql<SqlBool>`true`, lossless, value: sql`${utc}::date` };
  }
  const fits = sql<SqlBool>`(${looksLike(text, "\\d{4}-\\d\\d-\\d\\d")} and watchfloor.try_cast(${text}, 'date') is not null)`;
  return { fits, lossless: fits, value: sql`watchfloor.try_cast(${text}, 'date')::date` };
}
