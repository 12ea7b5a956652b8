import { type RawBuilder, sql } from "kysely";
import type { Json, ValueKind } from "../../shared/filter/filter.ts";
import { exactJsonText } from "../../shared/model/exact-json.ts";
import { kindOfType } from "../../shared/model/field-types.ts";
import { isNowByDefault } from "../../shared/model/initial-value.ts";
import { type Field, logKeyOf, type Table, type Values } from "../../shared/model/model.ts";
import { columnRef, quoted } from "./identifiers.ts";
import { entryField, objectName } from "./object-name.ts";

/**
 * How fields are stored in Postgres: types, and the conversion of values, by the kind of their values. A value is read as the JSON
 * of the wire (exact decimals and large integers as text, empty text as null, timestamps in UTC with
 * microseconds) and written from text. Capture and queries use the same expressions, so that a record always
 * looks the same.
 */

const MAX_SAFE = "9007199254740991";
const NUMERIC_PRECISION = 38;
const SEQUENCE_MAX_DIGITS = 18;
/** Postgres functions take 100 arguments; a record of more fields is joined from parts. */
const PAIRS_PER_OBJECT = 45;

/** What the kind of a field's values is in Postgres. `column` is its column, or a value of that column's type. */
interface StoredKind {
  /** The type of the column. */
  columnType: (field: Field) => string;
  /** The types of columns that values can be read from, as Postgres names them. */
  readable: RegExp;
  /** Its wire value in a JSON document that Postgres makes. */
  wire: (column: Sql) => Sql;
  /** The same as a column of its own, which `valueOfText` completes if it arrives as text: cheaper than a document. */
  read: (column: Sql) => Sql;
  valueOfText?: (text: string) => Json;
  /** A text parameter as a value of the column's type. Lists and JSON come as JSON text. */
  fromText: (text: Sql) => Sql;
  /** A value as text in the usual notation, null if it is empty: what is read when a field gets another type. */
  asText: (column: Sql) => Sql;
}
type Sql = RawBuilder<unknown>;

const itself = (column: Sql) => column;
const cast = (type: string) => (value: Sql) => sql`${value}::${sql.raw(type)}`;
const asText = cast("text");
/** The text of a JSON value. */
const jsonText = (column: Sql) => sql`(to_jsonb(${column}) #>> '{}')`;
/** Empty has one form on the wire, whatever another program wrote. */
const filledJson = (column: Sql) => sql`nullif(${column}, 'null'::jsonb)`;

const stored: Readonly<Record<ValueKind, StoredKind>> = {
  text: {
    columnType: () => 'text collate "C"',
    // A text may be read from any type, but a list.
    readable: /^(?!.*\[\]$)/,
    wire: (column) => sql`nullif(${column}::text, '')`,
    read: asText,
    valueOfText: (text) => (text === "" ? null : text),
    fromText: itself,
    asText: (column) => sql`nullif(${column}, '')`,
  },
  integer: {
    columnType: () => "bigint",
    readable: /^(smallint|integer|bigint)$/,
    wire: integerExpression,
    read: asText,
    valueOfText: (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : text),
    fromText: cast("bigint"),
    asText,
  },
  decimal: {
    columnType: (field) => `numeric(${NUMERIC_PRECISION}, ${scaleOf(field)})`,
    readable: /^(smallint|integer|bigint|numeric.*|real|double precision)$/,
    wire: asText,
    read: asText,
    fromText: cast("numeric"),
    asText,
  },
  boolean: {
    columnType: () => "boolean",
    readable: /^boolean$/,
    wire: itself,
    read: cast("boolean"),
    fromText: cast("boolean"),
    asText,
  },
  date: {
    columnType: () => "date",
    readable: /^date$/,
    wire: itself,
    read: asText,
    fromText: cast("date"),
    asText,
  },
  timestamp: {
    columnType: () => "timestamptz",
    readable: /^timestamp/,
    wire: itself,
    read: asText,
    valueOfText: instantOfText,
    fromText: cast("timestamptz"),
    asText: jsonText,
  },
  list: {
    columnType: () => "text[]",
    readable: /\[\]$/,
    wire: itself,
    read: (column) => sql`to_json(${column})`,
    fromText: (text) => sql`case when ${text} is null then null
      else array(select jsonb_array_elements_text(${text}::jsonb)) end`,
    asText: (column) => sql`array_to_string(${column}, ', ')`,
  },
  json: {
    columnType: () => "jsonb",
    readable: /^jsonb?$/,
    wire: filledJson,
    read: filledJson,
    fromText: cast("jsonb"),
    asText: jsonText,
  },
};

/** The column of a managed table for a field. */
export function columnType(field: Field): string {
  return stored[kindOfType[field.type]].columnType(field);
}

/** Whether the values of a field can be read from a column of this type, which another program may have changed. */
export function canRead({ type }: Field, columnType: string): boolean {
  return stored[kindOfType[type]].readable.test(columnType);
}

/**
 * A column as filters, orders and groups compare it: texts by code points, as the browser compares them, whatever collation or kind of text another
 * program has given the column. By one that takes "a" for "A", a page that goes on behind "a" would repeat records or leave some out. Postgres
 * removes what the column has already, so that indexes serve as before.
 */
export function comparedColumn(field: Field, alias: string): Sql {
  const column = columnRef(field, alias);
  return kindOfType[field.type] === "text" ? sql`(${column}::text collate "C")` : column;
}

/** A column's value as text in the usual notation, null if it is empty. */
export function textOf({ type }: Field, column: Sql): Sql {
  return stored[kindOfType[type]].asText(column);
}

/** A whole number, whatever a stored model says: it becomes part of a statement's text. */
function scaleOf({ scale = 2 }: Field): number {
  if (Number.isInteger(scale) && scale >= 0 && scale <= NUMERIC_PRECISION) return scale;
  throw new Error("A field's scale is not a number of digits.");
}

/** The wire value of a whole number: as text where a number would lose digits. */
function integerExpression(value: Sql): Sql {
  return sql`case when ${value} between -${sql.raw(MAX_SAFE)} and ${sql.raw(MAX_SAFE)}
    then to_jsonb(${value}) else to_jsonb(${value}::text) end`;
}

/** The wire value of one field of row `alias`. */
export function valueExpression(field: Field, alias: string): Sql {
  return wireExpression(field, columnRef(field, alias));
}

/** The wire value of a column of a field's type, such as its greatest. */
export function wireExpression({ type }: Field, column: Sql): Sql {
  return stored[kindOfType[type]].wire(column);
}

/**
 * The wire values of row `alias` as one object of the named fields (by default all), under their names: json
 * for reading, which costs half of jsonb.
 */
export function documentExpression(table: Table, alias: string, visible?: readonly string[]): Sql {
  const fields = table.fields.filter((field) => !visible || visible.includes(field.name));
  // Only jsonb objects can be concatenated.
  if (fields.length > PAIRS_PER_OBJECT) return objectOf(fields, alias, ({ name }) => name);
  return sql`json_build_object(${pairsOf(fields, alias, ({ name }) => name)})`;
}

/**
 * The wire values of row `alias` as columns, for `documentOf`: a document of them costs Postgres three times as much.
 */
export function valueColumns({ fields }: Table, alias: string): Sql[] {
  return fields.map((field) => stored[kindOfType[field.type]].read(columnRef(field, alias)));
}

/** The record of a row that ends with `valueColumns`, behind `skip` other columns. Runs for every row. */
export function documentOf({ fields }: Table, row: readonly Json[], skip: number): Values {
  const values: Values = {};
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index] as Field;
    const value = row[skip + index] ?? null;
    const { valueOfText } = stored[kindOfType[field.type]];
    values[field.name] = typeof value === "string" && valueOfText ? valueOfText(value) : value;
  }
  return values;
}

const utc = /^(\S+) ([\d:.]+)(\+00)?( BC)?$/;

/** The wire form of an instant as Postgres writes it in UTC. */
function instantOfText(text: string): string {
  return text.replace(
    utc,
    (_, day, time, zone, era = "") => `${day}T${time}${zone ? "+00:00" : ""}${era}`,
  );
}

/** The same as jsonb, for storing: under the keys of the change log, which renames don't change. */
export function storedDocument(table: Table, alias: string): Sql {
  return objectOf(table.fields, alias, logKeyOf);
}

function objectOf(fields: readonly Field[], alias: string, keyOf: (field: Field) => string) {
  const parts: Sql[] = [];
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
export function fromText({ type }: Field, text: Sql): Sql {
  return stored[kindOfType[type]].fromText(text);
}

/** The next number in the order of entry. A rollback and a late commit leave gaps and other orders, which are accepted. */
export function nextEntry(table: Table): Sql {
  return sql`nextval(${sql.lit(quoted(objectName(table, entryField, "seq")))})`;
}

/** The column default for inserts of any program; null if there is none. */
export function defaultExpression(table: Table, field: Field): Sql | null {
  if (field.automatic) {
    const { prefix, digits } = field.automatic;
    const sequence = quoted(objectName(table, field, "seq"));
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
