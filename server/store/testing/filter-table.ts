import { type RawBuilder, sql } from "kysely";
import type { FieldKinds, Filter, Json, SortKey } from "../../../shared/filter/filter.ts";
import type { FieldType } from "../../../shared/model/field-types.ts";
import { type Field, fieldKinds, type Values } from "../../../shared/model/model.ts";
import { columnType, documentExpression, documentOf, valueColumns } from "../columns.ts";
import type { Db } from "../database.ts";
import { filterColumns } from "../filter-columns.ts";
import { filterResultSql, filterSql, orderBySql } from "../filter-sql.ts";
import { entryColumn, entryRef, identifier } from "../identifiers.ts";
import { ensureTextOrder } from "../text-order.ts";

/** A record as it was read back. */
export interface StoredRecord {
  id: string;
  values: Values;
  entry: number | null;
}

/** The values of a column, and its Postgres type if it is not that of managed tables. */
export type ColumnPlan = Readonly<
  Record<string, { type: FieldType; sqlType?: string; indexed?: boolean }>
>;

/**
 * For tests of the filter language: a temporary table, which needs a pool of one connection. Records are read
 * back in wire form, by the store's own expressions, so that memory evaluates exactly what a screen would
 * hold.
 */
export class FilterTable {
  readonly kinds: FieldKinds;
  readonly #fields: Field[];
  readonly #plan: ColumnPlan;
  readonly #columns;
  readonly #db: Db;

  constructor(db: Db, plan: ColumnPlan) {
    this.#db = db;
    this.#plan = plan;
    this.#fields = Object.entries(plan).map(([name, { type, indexed = false }]) => ({
      name,
      label: name,
      type,
      indexed,
    }));
    this.kinds = { ...fieldKinds(this.#table), id: "text" };
    this.#columns = filterColumns(this.#table, "r");
  }

  get #table() {
    const texts = { label: "", recordLabel: "", display: "", columns: [], sort: [] };
    return { name: "filtered", fields: this.#fields, ...texts };
  }

  /** Creates the table again and returns its records by id. Missing fields are null, many numbers of entry equal, some missing. */
  async fill(records: readonly Readonly<Record<string, Json>>[]): Promise<StoredRecord[]> {
    await sql`create schema if not exists watchfloor`.execute(this.#db);
    await ensureTextOrder({ kysely: this.#db });
    await sql`drop table if exists filtered`.execute(this.#db);
    const definitions = this.#fields.map((field) => {
      const sqlType = this.#plan[field.name]?.sqlType ?? columnType(field);
      return sql`${identifier(field.name)} ${sql.raw(sqlType)}`;
    });
    const columns = sql`id text collate "C" primary key, ${sql.join([...definitions, sql`${entryRef()} bigint`])}`;
    await sql`create temporary table filtered (${columns})`.execute(this.#db);
    const document = JSON.stringify(records);
    await sql`insert into filtered
      select * from jsonb_populate_recordset(null::filtered, ${document}::jsonb)`.execute(this.#db);
    await sql`update filtered set ${entryRef()} = nullif(hashtext(id) % 4, 0)`.execute(this.#db);
    const values = documentExpression(this.#table, "r");
    const stored = await sql<StoredRecord>`select r.id, ${values} as values,
        ${entryRef("r")} as entry from filtered r order by r.id`.execute(this.#db);
    return stored.rows;
  }

  /** The same records as the commit path reads them. */
  async readForWrite(): Promise<StoredRecord[]> {
    const columns = valueColumns(this.#table, "r").map(
      (value, n) => sql`${value} as ${identifier(`c${n}`)}`,
    );
    const { rows } = await sql<Record<string, Json>>`select r.id,
        ${sql.join([...columns, entryRef("r")])} from filtered r order by r.id`.execute(this.#db);
    return rows.map((row) => ({
      id: row.id as string,
      values: documentOf(this.#table, Object.values(row), 1),
      entry: row[entryColumn] as number | null,
    }));
  }

  async idsWhere(filter: Filter): Promise<string[]> {
    const found = await sql<{ id: string }>`select r.id from filtered r
      where ${filterSql(filter, this.#columns)} order by r.id`.execute(this.#db);
    return found.rows.map(({ id }) => id);
  }

  /** The filter's result for every record, by id. */
  async results(filter: Filter): Promise<(boolean | null)[]> {
    const result = filterResultSql(filter, this.#columns);
    const found = await sql<{ result: boolean | null }>`select ${result} as result
      from filtered r order by r.id`.execute(this.#db);
    return found.rows.map((row) => row.result);
  }

  async idsOrdered(sort: readonly SortKey[]): Promise<string[]> {
    const found = await sql<{ id: string }>`select r.id from filtered r
      order by ${orderBySql(sort, this.#columns)}`.execute(this.#db);
    return found.rows.map(({ id }) => id);
  }

  /** The plan of Postgres if reading the whole table were very expensive. */
  explainWhere(filter: Filter): Promise<string> {
    return this.#explain(sql`where ${filterSql(filter, this.#columns)}`);
  }

  /** The plan for the first records in this order, likewise. */
  explainOrder(sort: readonly SortKey[]): Promise<string> {
    return this.#explain(sql`order by ${orderBySql(sort, this.#columns)} limit 10`);
  }

  #explain(clause: RawBuilder<unknown>): Promise<string> {
    return this.#db.transaction().execute(async (transaction) => {
      await sql`set local enable_seqscan = off`.execute(transaction);
      const plan = await sql<Record<string, string>>`explain select r.id from filtered r
        ${clause}`.execute(transaction);
      return plan.rows.map((row) => row["QUERY PLAN"]).join("\n");
    });
  }
}
