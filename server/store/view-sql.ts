import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Filter } from "../../shared/filter/filter.ts";
import type { Table } from "../../shared/model/model.ts";
import { filterColumns, labelRows, orderColumns } from "./filter-columns.ts";
import {
  type ColumnOf,
  filterSql,
  idExpression,
  orderBySql,
  orderJoins,
  sortExpression,
} from "./filter-sql.ts";
import { idRef, tableRef } from "./identifiers.ts";
import type { PageRequest } from "./pages.ts";
import type { ViewPart } from "./seek.ts";

/** The condition of a view on row `t` of its table. */
export function viewCondition(table: Table, filter: Filter | null): RawBuilder<SqlBool> {
  return filter ? filterSql(filter, filterColumns(table, "t")) : sql<SqlBool>`true`;
}

export function sortedIds(
  table: Table,
  request: Pick<PageRequest, "sort" | "labels" | "orderOf" | "limit" | "offset">,
  where: RawBuilder<SqlBool>,
) {
  const columns = orderColumns(table, "t", request);
  const order = orderBySql(request.sort, columns);
  return sql`select ${idRef("t")} from ${tableRef(table)} t ${orderJoins(request.sort, columns)}
    where ${where}
    order by ${order} limit ${request.limit} offset ${request.offset}`;
}

/** Which records of the parts to read. */
interface Range {
  offset: number;
  /** Null: all. */
  limit: number | null;
  labels?: PageRequest["labels"];
}

/**
 * The ids of the parts' records, one part after the other. Postgres stops when the page is full, where it would sort all
 * records otherwise. Only for transactions with `enable_parallel_append` off: the parts would be read in any order.
 */
export function idsOfParts(
  table: Table,
  where: RawBuilder<SqlBool>,
  parts: readonly ViewPart[],
  { offset, limit, labels }: Range,
): RawBuilder<unknown> {
  const columns = orderColumns(table, "t", { labels });
  const id = idRef();
  const end = limit === null ? null : offset + limit;
  const reads = parts.map(
    ({ filter, beyond, sort }) => sql`(
      select t.${id} from ${tableRef(table)} t ${orderJoins(sort, columns)}
      where ${where} and ${filterSql(filter, columns)}
        ${beyond ? sql`and ${beyondSql(beyond, columns)}` : sql``}
      order by ${orderBySql(sort, columns)} limit ${end})`,
  );
  return sql`select u.${id} from (${sql.join(reads, sql` union all `)}) u
    limit ${limit} offset ${offset}`;
}

/**
 * The ids of a page of a view whose first key is a link or user with many labels: record by record of the labels' table in its order, so that
 * Postgres stops when the page is full. A join would sort all records. As `idsOfParts`, for transactions with `enable_parallel_append` off.
 */
export function idsByLabel(
  table: Table,
  where: RawBuilder<SqlBool>,
  { sort, labels, offset, limit }: Pick<PageRequest, "sort" | "labels" | "offset" | "limit">,
): RawBuilder<unknown> | null {
  const [first, ...rest] = sort;
  const columns = orderColumns(table, "t", { labels });
  const column = first && columns(first.field);
  const source = first && labels?.[first.field];
  const rows = source && labelRows(source, "x");
  if (!first || !column?.label || !rows) return null;
  const id = idRef();
  const end = offset + limit;
  const direction = first.descending ? sql`desc` : sql`asc`;
  const link = column.hasSortIndex ? sortExpression(first.field, column) : column.expression;
  const joins = orderJoins(rest, columns);
  const order = orderBySql(rest, columns);
  const read = (condition: RawBuilder<SqlBool>) => sql`
    select t.${id} from ${tableRef(table)} t ${joins}
    where ${where} and ${condition} order by ${order} limit ${end}`;
  const labelled = sql`(
    select r.${id} from (
      select ${rows.id} as id from ${rows.from} where ${rows.isVisible} and ${rows.label} is not null
      order by ${rows.label} ${direction}, ${rows.id} ${direction} offset 0
    ) x cross join lateral (${read(sql<SqlBool>`${link} = x.id`)}) r
    limit ${end})`;
  const unlabelled = sql`(
    select t.${id} from ${tableRef(table)} t ${column.label.join} ${joins}
    where ${where} and ${column.expression} <> '' and ${column.label.expression} is null
    order by ${idExpression(column)} ${direction}, ${order} limit ${end})`;
  const empty = sql`(${read(sql`(${column.expression} is null or ${column.expression} = '')`)})`;
  const parts = [labelled, unlabelled, empty];
  const inOrder = first.descending ? parts.toReversed() : parts;
  return sql`select u.${id} from (${sql.join(inOrder, sql` union all `)}) u
    limit ${limit} offset ${offset}`;
}

function beyondSql({ key, text }: NonNullable<ViewPart["beyond"]>, columnOf: ColumnOf) {
  const column = columnOf(key.field);
  if (!column) throw new RangeError(`no column for field ${key.field}`);
  const compared = sortExpression(key.field, column);
  return key.descending ? sql`${compared} < ${text}::text` : sql`${compared} > ${text}::text`;
}
