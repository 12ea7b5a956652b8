import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Filter, SortKey } from "../../shared/filter/filter.ts";
import type { Table, Values } from "../../shared/model/model.ts";
import { documentExpression, idColumn } from "./columns.ts";
import type { Database, Db } from "./database.ts";
import { filterColumns } from "./filter-columns.ts";
import { filterSql, orderBySql } from "./filter-sql.ts";
import {
  isReadByGroups,
  matchesInGroups,
  partsOfGroups,
  readShownGroups,
} from "./grouped-order.ts";
import { entryAt } from "./offset-index.ts";
import type { OffsetIndexes } from "./offset-indexes.ts";
import { idsOfParts, partsFrom } from "./seek.ts";
import { openSnapshot } from "./snapshot.ts";

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
  /** Orders that begin with a field of few values are read value by value in tables of so many records; for tests. */
  groupedFrom?: number;
  /** Those of the server, for a view that does not depend on the time. */
  indexes?: OffsetIndexes | undefined;
}

/** Pages further down are read by the offset index of their view. */
export const NEAR_MAX_OFFSET = 1_000;

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
  const isFar = request.offset > NEAR_MAX_OFFSET;
  const indexed = isFar && (await readByIndex(kysely, table, request, where));
  if (indexed) return indexed;
  const isGrouped =
    !isFar && (await isReadByGroups({ kysely }, table, request.sort, request.groupedFrom));
  const page = isGrouped
    ? await readByGroups(kysely, table, request, where)
    : await readWhole(kysely, table, request, where);
  if (page.total <= request.exactTotal) return { ...page, totalExact: true };
  const counted = request.indexes?.totalAt(table, request, page);
  if (counted) return { ...page, ...counted };
  const estimate = await estimateTotal({ kysely }, table, where);
  return { ...page, total: Math.max(estimate, page.total), totalExact: false };
}

/** From the nearest entry of the view's offset index on. Null if it has none, or few records: those are sorted as fast. */
async function readByIndex(
  kysely: Db,
  table: Table,
  request: PageRequest,
  where: RawBuilder<SqlBool>,
): Promise<StoredPage | null> {
  const { indexes } = request;
  const index = await indexes?.findOrBuild(kysely, table, request, where);
  if (!indexes || !index) return null;
  const isGrouped = await isReadByGroups({ kysely }, table, request.sort, request.groupedFrom);
  const snapshot = await openSnapshot(kysely);
  try {
    const current = await indexes.advance(snapshot, index, request);
    const entry = current && entryAt(current, request.offset);
    if (!entry || current.total <= request.exactTotal) return null;
    const groups = isGrouped ? await readShownGroups(snapshot, table, request) : null;
    const later = groups ? partsOfGroups(table, request.sort, groups, entry.place) : undefined;
    const parts = partsFrom(request.sort, entry.place, later);
    const { limit } = request;
    const ids = idsOfParts(table, where, parts, { offset: request.offset - entry.offset, limit });
    const page = await readWhole(snapshot, table, request, where, { total: current.total, ids });
    return { ...page, totalExact: true };
  } finally {
    await snapshot.rollback().execute();
  }
}

/**
 * All statements must see the same records. Few matches are sorted as a whole: group by group, Postgres would search for
 * them in each one.
 */
async function readByGroups(
  kysely: Db,
  table: Table,
  request: PageRequest,
  where: RawBuilder<SqlBool>,
): Promise<StoredPage> {
  const snapshot = await openSnapshot(kysely);
  try {
    const groups = await readShownGroups(snapshot, table, request);
    if (!groups) return await readWhole(snapshot, table, request, where);
    const field = request.sort[0]?.field ?? "";
    const max = request.exactTotal + 1;
    const counted = await sql<{ total: number }>`
      select count(*)::int as total
      from (${matchesInGroups(table, field, groups, where, max)}) c`.execute(snapshot);
    const total = counted.rows[0]?.total ?? 0;
    const isFew = total <= request.exactTotal;
    const ids = isFew
      ? sortedIds(table, request, where, { isFew })
      : idsOfParts(table, where, partsOfGroups(table, request.sort, groups), request);
    return await readWhole(snapshot, table, request, where, { total, ids });
  } finally {
    await snapshot.rollback().execute();
  }
}

/** `known`: the number of matches, and the ids of the page in their order. */
async function readWhole(
  kysely: Db,
  table: Table,
  request: PageRequest,
  where: RawBuilder<SqlBool>,
  known?: { total: number; ids: RawBuilder<unknown> },
): Promise<StoredPage> {
  const counted = sql`(select count(*) from (
    select 1 from ${sql.id(table.name)} t where ${where} limit ${request.exactTotal + 1}) c)`;
  const found = await sql<StoredPage>`
    select f.epoch, f.head as seq, ${known ? sql.lit(known.total) : counted}::int as total,
      ${pageExpression(table, request, known?.ids ?? sortedIds(table, request, where))} as records
    from watchfloor.feed f where f.table_name = ${table.name}
  `.execute(kysely);
  const page = found.rows[0];
  if (!page) throw new Error(`Table ${table.name} has no feed.`);
  return page;
}

/** Where few match, they are found first and then sorted: in an index of the order Postgres would search for them. */
function sortedIds(
  table: Table,
  request: Pick<PageRequest, "sort" | "limit" | "offset">,
  where: RawBuilder<SqlBool>,
  { isFew = false } = {},
) {
  const order = orderBySql(request.sort, filterColumns(table, "t"));
  const from = sql`${sql.id(table.name)} t where ${where}`;
  const matches = isFew ? sql`(select * from ${from} offset 0) t` : from;
  return sql`select t.${sql.id(idColumn)} from ${matches}
    order by ${order} limit ${request.limit} offset ${request.offset}`;
}

function pageExpression(table: Table, request: PageRequest, ids: RawBuilder<unknown>) {
  const id = sql.id(idColumn);
  return sql`coalesce((
    select json_agg(json_build_object('id', p.id, 'values', p.doc) order by p.place) from (
      select s.place, t.${id} as id, ${documentExpression(table, "t", request.fields)} as doc
      from (
        select i.${id}, row_number() over () as place from (${ids}) i
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
  const snapshot = await openSnapshot(kysely);
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

/** How many records match, counted up to one more than `max`, and their ids as of one moment: JSON texts of `size` each. */
export async function readIdBatches(
  { kysely }: Database,
  table: Table,
  bounds: Pick<PageRequest, "filter" | "sort"> & { size: number; max: number },
): Promise<{ count: number; batches: string[] }> {
  const request = { ...bounds, limit: bounds.max + 1, offset: 0 };
  const sorted = sortedIds(table, request, condition(table, bounds.filter));
  const id = sql.id(idColumn);
  const { rows } = await sql<{ count: number; ids: string }>`
    select count(*)::int as count, json_agg(p.${id} order by p.place)::text as ids
    from (
      select n.*, (n.place - 1) / ${bounds.size} as part
      from (select i.${id}, row_number() over () as place from (${sorted}) i) n
    ) p group by p.part order by p.part`.execute(kysely);
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  return { count, batches: rows.map(({ ids }) => ids) };
}

/** The named records that match, in the order of their ids. */
export async function readNamed(
  { kysely }: Database,
  { table, filter, fields }: { table: Table } & Pick<PageRequest, "filter" | "fields">,
  ids: readonly string[],
): Promise<StoredPage["records"]> {
  const { rows } = await sql<StoredPage["records"][number]>`
    select t.${sql.id(idColumn)} as id, ${documentExpression(table, "t", fields)} as values
    from ${sql.id(table.name)} t
    where t.${sql.id(idColumn)} = any(${ids}::text[]) and ${condition(table, filter)}`.execute(
    kysely,
  );
  const found = new Map(rows.map((record) => [record.id, record]));
  return ids.flatMap((id) => found.get(id) ?? []);
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
