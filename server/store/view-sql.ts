import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Filter } from "../../shared/filter/filter.ts";
import type { Table } from "../../shared/model/model.ts";
import { filterColumns } from "./filter-columns.ts";
import { filterSql, orderBySql } from "./filter-sql.ts";
import { idRef, tableRef } from "./identifiers.ts";
import type { PageRequest } from "./pages.ts";
import type { ViewPart } from "./seek.ts";

/** The condition of a view on row `t` of its table. */
export function viewCondition(table: Table, filter: Filter | null): RawBuilder<SqlBool> {
  return filter ? filterSql(filter, filterColumns(table, "t")) : sql<SqlBool>`true`;
}

export function sortedIds(
  table: Table,
  request: Pick<PageRequest, "sort" | "limit" | "offset">,
  where: RawBuilder<SqlBool>,
) {
  const order = orderBySql(request.sort, filterColumns(table, "t"));
  return sql`select ${idRef("t")} from ${tableRef(table)} t where ${where}
    order by ${order} limit ${request.limit} offset ${request.offset}`;
}

/** Which records of the parts to read. */
interface Range {
  offset: number;
  /** Null: all. */
  limit: number | null;
}

/**
 * The ids of the parts' records, one part after the other. Postgres stops when the page is full, where it would sort all
 * records otherwise. Only for transactions with `enable_parallel_append` off: the parts would be read in any order.
 */
export function idsOfParts(
  table: Table,
  where: RawBuilder<SqlBool>,
  parts: readonly ViewPart[],
  { offset, limit }: Range,
): RawBuilder<unknown> {
  const columns = filterColumns(table, "t");
  const id = idRef();
  const end = limit === null ? null : offset + limit;
  const reads = parts.map(
    ({ filter, sort }) => sql`(
      select t.${id} from ${tableRef(table)} t where ${where} and ${filterSql(filter, columns)}
      order by ${orderBySql(sort, columns)} limit ${end})`,
  );
  return sql`select u.${id} from (${sql.join(reads, sql` union all `)}) u
    limit ${limit} offset ${offset}`;
}
