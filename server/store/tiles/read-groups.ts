import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Filter, Json, SortKey } from "../../../shared/filter/filter.ts";
import { isNumeric } from "../../../shared/filter/value-kinds.ts";
import { kindOfType } from "../../../shared/model/field-types.ts";
import type { Field, Table, Values } from "../../../shared/model/model.ts";
import type { MeasureOp } from "../../../shared/model/wallboard/tile-parts.ts";
import { aggregate } from "../aggregates.ts";
import { comparedColumn, documentExpression, valueExpression, wireExpression } from "../columns.ts";
import type { Database, Db } from "../database.ts";
import { readFeedStates } from "../feed-log.ts";
import { type LabelSources, orderColumns } from "../filter-columns.ts";
import { orderBySql, orderJoins } from "../filter-sql.ts";
import { columnRef, entryRef, idRef, tableRef } from "../identifiers.ts";
import type { FeedState } from "../log-change.ts";
import { execute, rowOf, rowsOf } from "../statement.ts";
import { viewCondition } from "../view-sql.ts";

/** Queries of tiles in SQL; `read-measures.ts` uses the same expressions. Filters are bound, checked and include row rights; sums are exact, as text. */

/** What is computed over the matching records. */
export interface MeasureRequest {
  filter: Filter | null;
  op: MeasureOp;
  /** The measured field; null for a count. */
  field: Field | null;
  percentile: number;
  group: Field | null;
  /** Records by a timestamp: bucket `i` is [bounds[i], bounds[i+1]). Instants, or days for a date field. */
  time: { field: Field; bounds: readonly string[] } | null;
  maxGroups: number;
}

/** The values of one group (and bucket): all that is needed to update them from changes. */
export interface GroupRow {
  key: Json;
  bucket: number | null;
  /** Records, and those of them that have a value in the measured field. */
  n: number;
  filled: number;
  /** The exact sum, of numbers; null if there is none. */
  sum: string | null;
  /** Of `min`, `max`, `percentile` and `distinct`: the measure in wire form. */
  value: Json;
  /** How many records have which value of the measured field, in wire form: by these a percentile is updated from changes (`readValueCounts`). */
  counts?: readonly (readonly [Json, number])[];
}

/**
 * Runs `read` on one snapshot of all tables and of the feeds, whose heads are passed to it. `hold` runs
 * before the snapshot: for `lockTable`, and for nothing that reads.
 */
export function onSnapshot<Result>(
  { kysely }: Pick<Database, "kysely">,
  timeoutMs: number,
  lockTables: (db: Db) => Promise<void>,
  read: (db: Db, heads: FeedState[]) => Promise<Result>,
): Promise<Result> {
  return kysely
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (tx) => {
      await sql.raw(`set local statement_timeout = ${Math.ceil(timeoutMs)}`).execute(tx);
      await lockTables(tx);
      return read(tx, await readFeedStates({ kysely: tx }));
    });
}

/**
 * Prevents emptying the table until the transaction ends. TRUNCATE is visible also in older snapshots: the
 * records would be gone and the feed unchanged.
 */
export async function lockTable(db: Db, table: Table): Promise<void> {
  await execute(db)`lock table ${tableRef(table)} in access share mode`;
}

/** One row per group and bucket that has records. */
export function readGroups(db: Db, table: Table, request: MeasureRequest): Promise<GroupRow[]> {
  const { group, time, field, maxGroups } = request;
  const groups = group && filledExpression(group);
  const bucket = time && bucketExpression(time);
  const parts = [...(groups ? [groups] : []), ...(bucket ? [bucket] : [])];
  return rowsOf<GroupRow>(db)`
    select ${group && groups ? sql`to_jsonb(${keyExpression(group, groups)})` : sql`null::jsonb`} as key,
      ${bucket ?? sql`null::int`} as bucket, count(*)::float8 as n,
      ${field ? sql`count(${filledExpression(field)})::float8` : sql`0::float8`} as filled,
      ${isSummable(field) ? sql`sum(${column(field)})::text` : sql`null::text`} as sum,
      to_jsonb(${measure(request)}) as value
    from ${tableRef(table)} t where ${condition(table, request)}
    ${parts.length ? sql`group by ${sql.join(parts)}` : sql``}
    limit ${maxGroups}`;
}

/**
 * The same groups by the values of the measured field, which are at most `maxValues` in all groups; null if there are more. Without sums and
 * measures, which follow from the values.
 */
export async function readValueCounts(
  db: Db,
  table: Table,
  { group, time, field, filter }: MeasureRequest & { field: Field },
  maxValues: number,
): Promise<GroupRow[] | null> {
  const groups = group && filledExpression(group);
  const bucket = time && bucketExpression(time);
  const values = filledExpression(field);
  const parts = [...(groups ? [groups] : []), ...(bucket ? [bucket] : []), values];
  const rows = await rowsOf<{ key: Json; bucket: number | null; value: Json; n: number }>(db)`
    select ${group && groups ? sql`to_jsonb(${keyExpression(group, groups)})` : sql`null::jsonb`} as key,
      ${bucket ?? sql`null::int`} as bucket, to_jsonb(${keyExpression(field, values)}) as value,
      count(*)::float8 as n
    from ${tableRef(table)} t where ${condition(table, { filter, time })}
    group by ${sql.join(parts)}
    limit ${maxValues + 1}`;
  if (rows.length > maxValues) return null;
  const byGroup = Map.groupBy(rows, ({ key, bucket: at }) => JSON.stringify([key, at]));
  return [...byGroup.values()].map((all): GroupRow => {
    const filled = all.filter(({ value }) => value !== null);
    const sumOf = (some: typeof all) => some.reduce((sum, { n }) => sum + n, 0);
    return {
      ...{ key: all[0]?.key ?? null, bucket: all[0]?.bucket ?? null },
      ...{ n: sumOf(all), filled: sumOf(filled), sum: null, value: null },
      counts: filled.map(({ value, n }) => [value, n]),
    };
  });
}

/** The first records in an order, with some of their fields. */
export function readTop(
  db: Db,
  table: Table,
  request: {
    filter: Filter | null;
    sort: readonly SortKey[];
    labels?: LabelSources;
    limit: number;
    fields: readonly string[];
  },
): Promise<{ id: string; values: Values; entry: number }[]> {
  const columns = orderColumns(table, "t", request.labels);
  const order = orderBySql(request.sort, columns);
  return rowsOf<{ id: string; values: Values; entry: number }>(db)`
    select ${idRef("t")} as id, ${documentExpression(table, "t", request.fields)} as values,
      ${entryRef("t")} as entry
    from ${tableRef(table)} t ${orderJoins(request.sort, columns)}
    where ${viewCondition(table, request.filter)}
    order by ${order} limit ${request.limit}`;
}

/** The earliest value of a time field from an instant on, as an instant; null where there is none. */
export async function readNextTime(
  db: Db,
  table: Table,
  field: Field,
  from: string,
): Promise<string | null> {
  const row = await rowOf<{ next: string | null }>(db)`
    select to_json(min(${column(field)})) #>> '{}' as next
    from ${tableRef(table)} t where ${column(field)} >= ${from}::timestamptz
      and ${column(field)} < 'infinity'`;
  return row?.next ?? null;
}

/** The records of a request. */
export function condition(
  table: Table,
  { filter, time }: Pick<MeasureRequest, "filter" | "time">,
): RawBuilder<SqlBool> {
  const own = viewCondition(table, filter);
  if (!time) return own;
  const [first, last] = [time.bounds[0] ?? "", time.bounds.at(-1) ?? ""];
  const type = boundType(time.field);
  const at = column(time.field);
  return sql<SqlBool>`(${own} and ${at} >= ${first}::${type} and ${at} < ${last}::${type})`;
}

/** Bounds are the same day more than once if a date is compared with hours: the last of them counts. */
function bucketExpression({ field, bounds }: { field: Field; bounds: readonly string[] }) {
  const list = sql.lit(`{${bounds.map((bound) => `"${bound}"`).join(",")}}`);
  return sql`(width_bucket(${column(field)}, ${list}::${boundType(field)}[]) - 1)`;
}

function boundType(field: Field): RawBuilder<unknown> {
  return kindOfType[field.type] === "date" ? sql.raw("date") : sql.raw("timestamptz");
}

/** A field's column of the table `t`. */
export const column = (field: Field): RawBuilder<unknown> => columnRef(field, "t");

/** Empty text is not a value. */
export function filledExpression(field: Field): RawBuilder<unknown> {
  return kindOfType[field.type] === "text"
    ? sql`nullif(${comparedColumn(field, "t")}, '')`
    : column(field);
}

/** A group in wire form. */
export function keyExpression(field: Field, groups: RawBuilder<unknown>): RawBuilder<unknown> {
  return kindOfType[field.type] === "text" ? groups : valueExpression(field, "t");
}

/** Whether sums of a field mean anything. */
export function isSummable(field: Field | null): field is Field {
  return field !== null && isNumeric(kindOfType[field.type]);
}

/** The measure in wire form; null for counts and sums, which are separate columns. */
export function measure({
  op,
  field,
  percentile,
}: Pick<MeasureRequest, "op" | "field" | "percentile">): RawBuilder<unknown> {
  if (!field || op === "count" || op === "sum" || op === "avg") return sql`null::text`;
  if (op === "distinct") return sql`count(distinct ${filledExpression(field)})`;
  const share = sql.lit(percentile / 100);
  const value =
    op === "percentile"
      ? sql`percentile_disc(${share}) within group (order by ${column(field)})`
      : aggregate(op, column(field));
  return wireExpression(field, value);
}
