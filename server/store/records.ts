import { sql } from "kysely";
import type { Filter } from "../../shared/filter/filter.ts";
import type { Table, Values } from "../../shared/model/model.ts";
import { documentExpression } from "./columns.ts";
import type { Database } from "./database.ts";
import { readPosition } from "./feed-log.ts";
import { orderColumns } from "./filter-columns.ts";
import { orderBySql, orderJoins } from "./filter-sql.ts";
import { idRef, tableRef } from "./identifiers.ts";
import type { PageRequest, StoredPage } from "./pages.ts";
import { openSnapshot } from "./snapshot.ts";
import { execute, hasRow, rowOf, rowsOf } from "./statement.ts";
import { sortedIds, viewCondition } from "./view-sql.ts";

/** A batch is made smaller where its values would take more. */
const BATCH_TARGET_BYTES = 8_388_608;
/** What the size of the records is estimated by. */
const FIRST_BATCH = 100;

/**
 * All matching records as of one moment, in batches of at most `size()`, each at the position of the first. The first batch is empty and waits for
 * no record: a sort may take seconds. Rows are sorted, and documents made of those that are fetched: to sort documents takes several times the
 * space, and the first would wait for the last.
 */
export async function* readBatches(
  { kysely }: Database,
  table: Table,
  {
    filter,
    sort,
    labels,
    orderOf,
    fields,
    size,
  }: Pick<PageRequest, "filter" | "sort" | "labels" | "orderOf" | "fields"> & {
    size: () => number;
  },
): AsyncGenerator<Pick<StoredPage, "epoch" | "seq" | "records">> {
  const snapshot = await openSnapshot(kysely);
  try {
    const { epoch, seq } = await readPosition(snapshot, table.name);
    const columns = orderColumns(table, "t", { labels, orderOf });
    await execute(snapshot)`
      declare batches no scroll cursor for
      select r.*, octet_length(r.values::text) as bytes from (
        select ${idRef("t")} as id, (${documentExpression(table, "t", fields)})::json as values
        from (
          select t.* from ${tableRef(table)} t ${orderJoins(sort, columns)}
          where ${viewCondition(table, filter)}
          order by ${orderBySql(sort, columns)} offset 0
        ) t offset 0
      ) r`;
    yield { epoch, seq, records: [] };
    for (let count = Math.min(FIRST_BATCH, size()); ; ) {
      const fetched = sql<FetchedRecord>`fetch ${sql.lit(count)} from batches`;
      const { rows } = await fetched.execute(snapshot);
      yield { epoch, seq, records: rows.map(({ id, values }) => ({ id, values })) };
      if (rows.length < count) return;
      const bytes = rows.reduce((sum, row) => sum + row.bytes, 0) / count;
      count = Math.max(1, Math.min(size(), Math.floor(BATCH_TARGET_BYTES / bytes)));
    }
  } finally {
    await snapshot.rollback().execute();
  }
}

type FetchedRecord = StoredPage["records"][number] & { bytes: number };

/** How many records match, counted up to one more than `max`, and their ids as of one moment: JSON texts of `size` each. */
export async function readIdBatches(
  { kysely }: Database,
  table: Table,
  bounds: Pick<PageRequest, "filter" | "sort" | "labels"> & { size: number; max: number },
): Promise<{ count: number; batches: string[] }> {
  const request = { ...bounds, limit: bounds.max + 1, offset: 0 };
  const sorted = sortedIds(table, request, viewCondition(table, bounds.filter));
  const id = idRef();
  const rows = await rowsOf<{ count: number; ids: string }>(kysely)`
    select count(*)::int as count, json_agg(p.${id} order by p.place)::text as ids
    from (
      select n.*, (n.place - 1) / ${bounds.size} as part
      from (select i.${id}, row_number() over () as place from (${sorted}) i) n
    ) p group by p.part order by p.part`;
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  return { count, batches: rows.map(({ ids }) => ids) };
}

/** The named records that match, in the order of their ids. */
export async function readNamed(
  { kysely }: Database,
  { table, filter, fields }: { table: Table } & Pick<PageRequest, "filter" | "fields">,
  ids: readonly string[],
): Promise<StoredPage["records"]> {
  const rows = await rowsOf<StoredPage["records"][number]>(kysely)`
    select ${idRef("t")} as id, ${documentExpression(table, "t", fields)} as values
    from ${tableRef(table)} t
    where ${idRef("t")} = any(${ids}::text[]) and ${viewCondition(table, filter)}`;
  const found = new Map(rows.map((record) => [record.id, record]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Whether any record matches; the filter is bound, checked and includes row rights. */
export function hasRecord({ kysely }: Database, table: Table, filter: Filter): Promise<boolean> {
  return hasRow(kysely)`
    select 1 from ${tableRef(table)} t where ${viewCondition(table, filter)} limit 1`;
}

/**
 * One record with every field, and the position at which it was read; null if there is none that matches. The values of one that does
 * not match are not read, so that it takes as long as a missing one.
 */
export function readStoredRecord(
  { kysely }: Database,
  table: Table,
  id: string,
  filter: Filter | null,
): Promise<{ epoch: string; seq: number; values: Values } | null> {
  return rowOf<{ epoch: string; seq: number; values: Values }>(kysely)`
    select f.epoch, f.head as seq, ${documentExpression(table, "t")} as values
    from ${tableRef(table)} t join watchfloor.feed f on f.table_name = ${table.name}
    where ${idRef("t")} = ${id} and ${viewCondition(table, filter)}
  `;
}
