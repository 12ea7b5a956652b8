import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Filter, SortKey } from "../../shared/filter/filter.ts";
import type { Table, Values } from "../../shared/model/model.ts";
import { documentExpression, idColumn } from "./columns.ts";
import type { Database } from "./database.ts";
import { filterColumns } from "./filter-columns.ts";
import { filterSql, orderBySql } from "./filter-sql.ts";

/** A page to read: the filter is bound, checked and includes the reader's row rights. */
export interface PageRequest {
  filter: Filter | null;
  sort: readonly SortKey[];
  offset: number;
  limit: number;
  /** Only these are read: hidden fields never leave the database. */
  fields: readonly string[];
  /** Matches are counted up to here, and estimated beyond. */
  exactTotal: number;
}

export interface StoredPage {
  epoch: string;
  seq: number;
  total: number;
  totalExact: boolean;
  records: { id: string; values: Values }[];
}

/**
 * A page and its feed position, read by one statement and so in one snapshot: a change is either in the page
 * or beyond its `seq`. Ids are sorted first and the rows joined afterwards, so that a deep page costs an
 * index scan and not a sort of whole rows.
 */
export async function readPage(
  { kysely }: Database,
  table: Table,
  request: PageRequest,
): Promise<StoredPage> {
  const where = condition(table, request.filter);
  const found = await sql<StoredPage>`
    select f.epoch, f.head as seq,
      (select count(*) from (
        select 1 from ${sql.id(table.name)} t where ${where} limit ${request.exactTotal + 1}) c
      )::int as total,
      ${pageExpression(table, request, where)} as records
    from watchfloor.feed f where f.table_name = ${table.name}
  `.execute(kysely);
  const page = found.rows[0];
  if (!page) throw new Error(`Table ${table.name} has no feed.`);
  if (page.total <= request.exactTotal) return { ...page, totalExact: true };
  const estimate = await estimateTotal({ kysely }, table, where);
  return { ...page, total: Math.max(estimate, page.total), totalExact: false };
}

function pageExpression(table: Table, request: PageRequest, where: RawBuilder<SqlBool>) {
  const id = sql.id(idColumn);
  const order = orderBySql(request.sort, filterColumns(table, "t"));
  return sql`coalesce((
    select json_agg(json_build_object('id', p.id, 'values', p.doc) order by p.place) from (
      select s.place, t.${id} as id, ${documentExpression(table, "t", request.fields)} as doc
      from (
        select i.${id}, row_number() over () as place from (
          select t.${id} from ${sql.id(table.name)} t where ${where}
          order by ${order} limit ${request.limit} offset ${request.offset}
        ) i
      ) s join ${sql.id(table.name)} t on t.${id} = s.${id}
    ) p
  ), '[]'::json)`;
}

function condition(table: Table, filter: Filter | null): RawBuilder<SqlBool> {
  return filter ? filterSql(filter, filterColumns(table, "t")) : sql<SqlBool>`true`;
}

/** All matching records as of one moment, in batches, each at the position of the first. */
export async function* readBatches(
  { kysely }: Database,
  table: Table,
  {
    filter,
    sort,
    fields,
    size,
  }: Pick<PageRequest, "filter" | "sort" | "fields"> & { size: number },
): AsyncGenerator<Pick<StoredPage, "epoch" | "seq" | "records">> {
  const snapshot = await kysely
    .startTransaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute();
  try {
    const { rows: feeds } = await sql<{ epoch: string; seq: number }>`
      select epoch, head as seq from watchfloor.feed where table_name = ${table.name}`.execute(
      snapshot,
    );
    const [position] = feeds;
    if (!position) throw new Error(`Table ${table.name} has no feed.`);
    await sql`
      declare batches no scroll cursor for
      select t.${sql.id(idColumn)} as id, ${documentExpression(table, "t", fields)} as values
      from ${sql.id(table.name)} t where ${condition(table, filter)}
      order by ${orderBySql(sort, filterColumns(table, "t"))}`.execute(snapshot);
    for (;;) {
      const fetched = sql<StoredPage["records"][number]>`fetch ${sql.lit(size)} from batches`;
      const { rows: records } = await fetched.execute(snapshot);
      yield { ...position, records };
      if (records.length < size) return;
    }
  } finally {
    await snapshot.rollback().execute();
  }
}

/** Whether any record matches; the filter is bound, checked and includes row rights. */
export async function hasRecord(
  { kysely }: Database,
  table: Table,
  filter: Filter,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from ${sql.id(table.name)} t where ${condition(table, filter)} limit 1`.execute(
    kysely,
  );
  return rows.length > 0;
}

/** The planner's estimate: good enough for a scroll bar over a million records, and marked as one. */
async function estimateTotal(
  { kysely }: Pick<Database, "kysely">,
  table: Table,
  where: RawBuilder<SqlBool>,
): Promise<number> {
  const plan = await sql<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>`
    explain (format json) select 1 from ${sql.id(table.name)} t where ${where}
  `.execute(kysely);
  return plan.rows[0]?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0;
}

/** One record with every field, and the position at which it was read; null if there is none. */
export async function readStoredRecord(
  { kysely }: Database,
  table: Table,
  id: string,
): Promise<{ epoch: string; seq: number; values: Values } | null> {
  const found = await sql<{ epoch: string; seq: number; values: Values }>`
    select f.epoch, f.head as seq, ${documentExpression(table, "t")} as values
    from ${sql.id(table.name)} t join watchfloor.feed f on f.table_name = ${table.name}
    where t.${sql.id(idColumn)} = ${id}
  `.execute(kysely);
  return found.rows[0] ?? null;
}
