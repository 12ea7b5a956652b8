import { type RawBuilder, sql } from "kysely";
import pg from "pg";
import type { Json } from "../../shared/filter/filter.ts";
import { exactJsonText } from "../../shared/model/exact-json.ts";
import { isNowByDefault } from "../../shared/model/initial-value.ts";
import {
  type Field,
  kindOfType,
  logKeyOf,
  type Table,
  type Values,
} from "../../shared/model/model.ts";
import { objectName } from "./object-name.ts";

/**
 * How fields are stored in Postgres: names, types, and the conversion of values. A value is read as the JSON
 * of the wire (exact decimals and large integers as text, empty text as null, timestamps in UTC with
 * microseconds) and written from text. Capture and queries use the same expressions, so that a record always
 * looks the same.
 */

const MAX_SAFE = "9007199254740991";
const NUMERIC_PRECISION = 38;
const SEQUENCE_MAX_DIGITS = 18;
/** Postgres functions take 100 arguments; a record of more fields is joined from parts. */
const PAIRS_PER_OBJECT = 45;

export const idColumn = "id";

/** Chosen when the field was created, and unchanged by renames. */
export function columnName({ column, name }: Field): string {
  return column ?? name;
}

/** The column of a managed table for a field. */
export function columnType(field: Field): string {
  switch (kindOfType[field.type]) {
    case "integer":
      return "bigint";
    case "decimal":
      return `numeric(${NUMERIC_PRECISION}, ${scaleOf(field)})`;
    case "boolean":
      return "boolean";
    case "date":
      return "date";
    case "timestamp":
      return "timestamptz";
    case "list":
      return "text[]";
    case "json":
      return "jsonb";
    case "text":
      return 'text collate "C"';
  }
}

/** A whole number, whatever a stored model says: it becomes part of a statement's text. */
function scaleOf({ scale = 2 }: Field): number {
  if (Number.isInteger(scale) && scale >= 0 && scale <= NUMERIC_PRECISION) return scale;
  throw new Error("A field's scale is not a number of digits.");
}

/** The wire value of a whole number: as text where a number would lose digits. */
export function integerExpression(value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${value} between -${sql.raw(MAX_SAFE)} and ${sql.raw(MAX_SAFE)}
    then to_jsonb(${value}) else to_jsonb(${value}::text) end`;
}

/** The wire value of one field of row `alias`. */
export function valueExpression(field: Field, alias: string): RawBuilder<unknown> {
  const column = sql`${sql.id(alias)}.${sql.id(columnName(field))}`;
  switch (kindOfType[field.type]) {
    case "text":
      return sql`nullif(${column}::text, '')`;
    case "decimal":
      return sql`${column}::text`;
    case "integer":
      return integerExpression(column);
    // Empty has one form on the wire, whatever another program wrote.
    case "json":
      return sql`nullif(${column}, 'null'::jsonb)`;
    default:
      return column;
  }
}

/**
 * The wire values of row `alias` as one object of the named fields (by default all), under their names: json
 * for reading, which costs half of jsonb.
 */
export function documentExpression(
  table: Table,
  alias: string,
  visible?: readonly string[],
): RawBuilder<unknown> {
  const fields = table.fields.filter((field) => !visible || visible.includes(field.name));
  // Only jsonb objects can be concatenated.
  if (fields.length > PAIRS_PER_OBJECT) return objectOf(fields, alias, ({ name }) => name);
  return sql`json_build_object(${pairsOf(fields, alias, ({ name }) => name)})`;
}

/**
 * The wire values of row `alias` as columns, for `documentOf`: a document of them costs Postgres three times as much.
 */
export function valueColumns({ fields }: Table, alias: string): RawBuilder<unknown>[] {
  return fields.map((field) =>
    columnRead(field, sql`${sql.id(alias)}.${sql.id(columnName(field))}`),
  );
}

function columnRead(field: Field, column: RawBuilder<unknown>): RawBuilder<unknown> {
  switch (kindOfType[field.type]) {
    case "boolean":
      return sql`${column}::boolean`;
    case "list":
      return sql`to_json(${column})`;
    case "json":
      return sql`nullif(${column}, 'null'::jsonb)`;
    default:
      return sql`${column}::text`;
  }
}

/** The record of a row that ends with `valueColumns`, behind `skip` other columns. Runs for every row. */
export function documentOf({ fields }: Table, row: readonly Json[], skip: number): Values {
  const values: Values = {};
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index] as Field;
    const value = row[skip + index] ?? null;
    values[field.name] = typeof value === "string" ? valueOfText(field, value) : value;
  }
  return values;
}

const utc = /^(\S+) ([\d:.]+)(\+00)?( BC)?$/;

function valueOfText({ type }: Field, text: string): Json {
  switch (kindOfType[type]) {
    case "text":
      return text === "" ? null : text;
    case "integer":
      return Number.isSafeInteger(Number(text)) ? Number(text) : text;
    case "timestamp":
      return text.replace(
        utc,
        (_, day, time, zone, era = "") => `${day}T${time}${zone ? "+00:00" : ""}${era}`,
      );
    default:
      return text;
  }
}

/** The same as jsonb, for storing: under the keys of the change log, which renames don't change. */
export function storedDocument(table: Table, alias: string): RawBuilder<unknown> {
  return objectOf(table.fields, alias, logKeyOf);
}

function objectOf(fields: readonly Field[], alias: string, keyOf: (field: Field) => string) {
  const parts: RawBuilder<unknown>[] = [];
  for (let from = 0; from < fields.length; from += PAIRS_PER_OBJECT) {
    const pairs = pairsOf(fields.slice(from, from + PAIRS_PER_OBJECT), alias, keyOf);
    parts.push(sql`jsonb_build_object(${pairs})`);
  }
  return parts.length ? sql`(${sql.join(parts, sql` || `)})` : sql`'{}'::jsonb`;
}

function pairsOf(fields: readonly Field[], alias: string, keyOf: (field: Field) => string) {
  const pairs = fields.map(
    (field) => sql`${sql.lit(keyOf(field))}, ${valueExpression(field, alias)}`,
  );
  return pairs.length ? sql.join(pairs) : sql``;
}

/** Converts a text parameter to the field's column type. Lists and JSON come as JSON text. */
export function fromText(field: Field, text: RawBuilder<unknown>): RawBuilder<unknown> {
  switch (kindOfType[field.type]) {
    case "text":
      return text;
    case "integer":
      return sql`${text}::bigint`;
    case "decimal":
      return sql`${text}::numeric`;
    case "boolean":
      return sql`${text}::boolean`;
    case "date":
      return sql`${text}::date`;
    case "timestamp":
      return sql`${text}::timestamptz`;
    case "json":
      return sql`${text}::jsonb`;
    case "list":
      return sql`case when ${text} is null then null
        else array(select jsonb_array_elements_text(${text}::jsonb)) end`;
  }
}

/** The column default for inserts of any program; null if there is none. */
export function defaultExpression(table: Table, field: Field): RawBuilder<unknown> | null {
  if (field.automatic) {
    const { prefix, digits } = field.automatic;
    const sequence = pg.escapeIdentifier(objectName(table, field, "seq"));
    // All possible digits, without the zeros beyond the wanted ones: lpad would truncate large numbers.
    const number = sql`regexp_replace(
      to_char(nextval(${sql.lit(sequence)}), ${sql.lit(`FM${"0".repeat(SEQUENCE_MAX_DIGITS)}`)}),
      ${sql.lit(`^0{0,${SEQUENCE_MAX_DIGITS - digits}}`)}, '')`;
    return sql`${sql.lit(prefix)} || ${number}`;
  }
  if (isNowByDefault(field)) return sql`now()`;
  const constant = field.default ?? null;
  if (constant === null || constant === "") return null;
  if (field.type === "json") return sql`${sql.lit(exactJsonText(constant))}::jsonb`;
  if (typeof constant !== "object") return sql.lit(constant);
  const items = (constant as string[]).map((item) => sql.lit(item));
  return items.length ? sql`array[${sql.join(items)}]::text[]` : null;
}
