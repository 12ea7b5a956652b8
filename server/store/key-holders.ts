import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Filter, Json } from "../../shared/filter/filter.ts";
import { literalOf } from "../../shared/filter/operand.ts";
import { type Field, idOfTable, type Table, type Values } from "../../shared/model/model.ts";
import { documentExpression } from "./columns.ts";
import { filterColumns } from "./filter-columns.ts";
import { filterSql } from "./filter-sql.ts";
import { idRef, quoted, tableRef } from "./identifiers.ts";
import type { Statement } from "./prepared-text.ts";

/** Values by which new records are identified, though no constraint makes them unique. */
export interface KeyRequest {
  table: Table;
  field: Field;
  /** The records that their author may read; all if null. */
  filter: Filter | null;
  values: Json[];
}

/** By the value as text: the records that hold it. */
export type KeyHolders = Map<string, string[]>;

export interface KeyRow {
  id: string;
  values: Values;
}

/** Without an index the values are looked for in the whole table, while other edits wait: not in larger tables. */
const UNINDEXED_MAX_RECORDS = 100_000;
const HOLDERS_MAX = 10_000;

export function keyOf({ table, field, filter }: Omit<KeyRequest, "values">): string {
  return JSON.stringify([table.name, field.name, filter]);
}

/** Nobody else checks keys of these tables until the transaction ends, in the same order on every server. */
export function keyLocks(requests: readonly KeyRequest[]): Statement[] {
  const tables = [...new Set(requests.map(({ table }) => idOfTable(table)))].sort();
  return tables.map((id) => ({
    text: "select pg_advisory_xact_lock(hashtextextended($1, 0))",
    values: [`watchfloor.key ${id}`],
  }));
}

/** Rows of `KeyRow`. */
export function keyQuery({ table, field, filter, values }: KeyRequest): RawBuilder<unknown> {
  const own: Filter = { field: field.name, op: "in", value: values.map(literalOf) };
  const matches = filterSql(filter ? { and: [filter, own] } : own, filterColumns(table, "t"));
  return sql`select ${idRef("t")} as id, ${documentExpression(table, "t", [field.name])} as values
    from ${tableRef(table)} t where ${isQuick(table, field)} and ${matches} limit ${HOLDERS_MAX}`;
}

function isQuick(table: Table, { indexed, unique, type }: Field): RawBuilder<SqlBool> {
  if (indexed || unique || type === "link") return sql<SqlBool>`true`;
  return sql<SqlBool>`(select c.reltuples <= ${UNINDEXED_MAX_RECORDS} from pg_class c
    where c.oid = to_regclass(${quoted(table.name)}))`;
}

export function holdersOf({ field }: KeyRequest, rows: readonly KeyRow[]): KeyHolders {
  const byValue = Map.groupBy(rows, ({ values }) => String(values[field.name]));
  return new Map([...byValue].map(([text, own]) => [text, own.map(({ id }) => id)]));
}
