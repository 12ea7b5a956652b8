import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Filter } from "../../shared/filter/filter.ts";
import type { Table, Values } from "../../shared/model/model.ts";
import type { ActivityQuery } from "../../shared/protocol/tables.ts";
import { documentExpression } from "./columns.ts";
import type { Database } from "./database.ts";
import { authorJoin, type ChangeRow, changeColumns, toChange } from "./feed-log.ts";
import { idRef, tableRef } from "./identifiers.ts";
import type { LogChange } from "./log-change.ts";
import { rowOf, rowsOf } from "./statement.ts";
import { viewCondition } from "./view-sql.ts";

/** Filters changes by what the log says of them. */
export interface ActivityFilter
  extends Pick<ActivityQuery, "record" | "by" | "kind" | "origin" | "changeSet" | "from" | "to"> {
  /** Names of tables. */
  tables: readonly string[];
  /** Only the changes at these places in the log. */
  places?: readonly number[] | undefined;
}

export interface ActivityWindow {
  /** Newest first, each with its place in the log. */
  changes: { table: string; place: number; change: LogChange }[];
  /** The place of the oldest entry that was read; null if nothing older can match. */
  next: number | null;
  /** Size of the changes as JSON. */
  bytes: number;
}

/**
 * Reads `size` entries of the log before a place, newest first, and returns those that match. So a page costs
 * the same however rarely a filter matches, and in whatever transactions the entries were: the position of one is counted from that of
 * the matching one before it in the same piece of the numbering, not each time from where the piece begins.
 */
export async function readActivityWindow(
  { kysely }: Database,
  filter: ActivityFilter,
  { before, size }: { before: number | null; size: number },
): Promise<ActivityWindow> {
  const rows = await rowsOf<WindowRow>(kysely)`
    with looked_at as materialized (${lookedAt(filter, before)} limit ${size}),
    placed as materialized (
      select c.*, n.upto, n.n, coalesce(
        lag(c.ord) over (partition by n.feed, n.upto order by c.ord), n.first_ord - 1) as previous
      from looked_at c join watchfloor.feed f on f.id = c.feed
      left join lateral (
        select * from watchfloor.numbering n
        where ${matches(filter)} and n.tx = c.tx and n.feed = c.feed
          and c.ord between n.first_ord and n.last_ord offset 0
      ) n on true),
    counted as materialized (
      select c.*, case when c.upto is not null then (
        select count(*) from watchfloor.change k
        where k.tx = c.tx and k.feed + 0 = c.feed and k.ord > c.previous and k.ord <= c.ord) end as step
      from placed c),
    found as materialized (
    select f.table_name as "table", c.ord as place,
      c.at < ${filter.from ?? null}::timestamptz as "isEarlier",
      case when c.seq is not null then ${sql.raw(changeColumns)} end as change
    from (select *, upto - n + sum(step) over (partition by feed, upto order by ord)::bigint as seq from counted) c
    join watchfloor.feed f on f.id = c.feed
    ${sql.raw(authorJoin)})
    select *, coalesce(octet_length(change::text), 0) as bytes from found order by place desc`;
  const last = rows.at(-1);
  const hasMore = last !== undefined && rows.length === size && last.isEarlier !== true;
  return {
    changes: rows.flatMap(({ table, place, change }) =>
      change ? [{ table, place, change: toChange(change) }] : [],
    ),
    next: hasMore ? last.place : null,
    bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

interface WindowRow {
  table: string;
  place: number;
  isEarlier: boolean | null;
  change: ChangeRow | null;
  bytes: number;
}

/** Entries of the log, by the index that finds the fewest; `ord + 0` has an index of its own (migration 0022). */
function lookedAt(
  { places, record, changeSet, tables, to }: ActivityFilter,
  before: number | null,
) {
  const isBefore = (place: RawBuilder<unknown>) =>
    sql`(${before}::bigint is null or ${place} < ${before}::bigint)
      and (${to ?? null}::timestamptz is null or k.at < ${to ?? null}::timestamptz)`;
  const entries = sql`select k.* from watchfloor.change k where`;
  if (places) {
    return sql`${entries} (k.ord + 0) = any(${places}::bigint[]) and ${isBefore(sql`(k.ord + 0)`)}
      order by (k.ord + 0) desc`;
  }
  if (record !== undefined) {
    const feed = sql`(select id from watchfloor.feed where table_name = ${tables[0] ?? ""})`;
    return sql`${entries} k.feed = ${feed} and k.record = ${record} and ${isBefore(sql`k.ord`)}
      order by k.ord desc`;
  }
  if (changeSet !== undefined) {
    return sql`${entries} k.change_set = ${changeSet} and ${isBefore(sql`k.ord`)}
      order by k.ord desc`;
  }
  return sql`${entries} ${isBefore(sql`(k.ord + 0)`)} order by (k.ord + 0) desc`;
}

function matches(filter: ActivityFilter): RawBuilder<SqlBool> {
  const { tables, by, kind, origin, changeSet, from } = filter;
  const parts = [sql<SqlBool>`f.table_name = any(${tables}::text[])`];
  if (by !== undefined) {
    const actors = ["user", "token", "display", "system", "external"].map(
      (kind) => `${kind}:${by}`,
    );
    parts.push(sql<SqlBool>`c.actor = any(${[...actors, by]}::text[])`);
  }
  if (kind !== undefined) parts.push(sql<SqlBool>`c.kind = ${kind}`);
  if (origin !== undefined) parts.push(sql<SqlBool>`c.origin = ${origin}`);
  if (changeSet !== undefined) parts.push(sql<SqlBool>`c.change_set = ${changeSet}`);
  if (from !== undefined) parts.push(sql<SqlBool>`c.at >= ${from}::timestamptz`);
  return sql<SqlBool>`(${sql.join(parts, sql` and `)})`;
}

/** The places in the log of changes that are named by their positions; those that it does not hold are left out. */
export async function placesOfChanges(
  { kysely }: Pick<Database, "kysely">,
  changes: readonly { table: string; seq: number }[],
): Promise<number[]> {
  const rows = await rowsOf<{ place: number }>(kysely)`
    select distinct c.ord as place
    from unnest(${changes.map(({ table }) => table)}::text[],
      ${changes.map(({ seq }) => seq)}::bigint[]) w(name, seq)
    join watchfloor.feed f on f.table_name = w.name
    cross join lateral (select * from watchfloor.numbering
      where feed = f.id and upto >= w.seq order by upto limit 1) n
    cross join lateral (select k.ord from watchfloor.change k
      where k.tx = n.tx and k.feed + 0 = n.feed and k.ord between n.first_ord and n.last_ord
      order by k.ord offset greatest(w.seq - (n.upto - n.n) - 1, 0) limit 1) c
    where w.seq > n.upto - n.n`;
  return rows.map(({ place }) => place);
}

/** The place of a record's first change after the oldest of these that is none of them; whoever may see it. */
export async function firstOtherPlace(
  { kysely }: Pick<Database, "kysely">,
  { table, record, places }: { table: string; record: string; places: readonly number[] },
): Promise<number | null> {
  const row = await rowOf<{ place: number }>(kysely)`
    select k.ord as place from watchfloor.change k join watchfloor.feed f on f.id = k.feed
    where f.table_name = ${table} and k.record = ${record} and k.ord > ${places.at(-1) ?? 0}
      and not exists (select from unnest(${places}::bigint[]) own(ord) where own.ord = k.ord)
    order by k.ord limit 1`;
  return row?.place ?? null;
}

/** The places of the last changes of records, by record. */
export async function lastPlaces(
  { kysely }: Pick<Database, "kysely">,
  table: string,
  records: readonly string[],
): Promise<Map<string, number>> {
  const rows = await rowsOf<{ record: string; place: number }>(kysely)`
    select w.record, l.ord as place from unnest(${records}::text[]) w(record)
    join watchfloor.feed f on f.table_name = ${table}
    cross join lateral (select k.ord from watchfloor.change k
      where k.feed = f.id and k.record = w.record order by k.ord desc limit 1) l`;
  return new Map(rows.map(({ record, place }) => [record, place]));
}

/** How many changes of each kind sets have made in each table, by the table's name; of each set the newest `limit`. */
export function countChangesOfSets(
  { kysely }: Pick<Database, "kysely">,
  sets: readonly string[],
  limit: number,
): Promise<{ set: string; table: string; kind: LogChange["kind"]; count: number }[]> {
  return rowsOf<Awaited<ReturnType<typeof countChangesOfSets>>[number]>(kysely)`
    select s.id as set, f.table_name as "table", c.kind, count(*)::int as count
    from unnest(${sets}::text[]) s(id)
    cross join lateral (select k.feed, k.kind from watchfloor.change k
      where k.change_set = s.id order by k.ord desc limit ${limit}) c
    join watchfloor.feed f on f.id = c.feed group by 1, 2, 3`;
}

/** How many changes a set has made, and how many of them updated one of these fields, which are given by table. */
export async function countChanges(
  { kysely }: Pick<Database, "kysely">,
  set: string,
  fields: Readonly<Record<string, readonly string[]>>,
): Promise<{ total: number; withFields: number }> {
  const row = await rowOf<{ total: number; withFields: number }>(kysely)`
    select count(*)::int as total, (count(*) filter (where c.kind = 'update' and exists (
      select from jsonb_array_elements_text(${JSON.stringify(fields)}::jsonb -> f.table_name) name
      where (case when f.names is null then c.before else watchfloor.named(c.before, f.names) end) ? name
    )))::int as "withFields"
    from watchfloor.change c join watchfloor.feed f on f.id = c.feed
    where c.change_set = ${set}`;
  return row ?? { total: 0, withFields: 0 };
}

/** The stored records of a table that match, by id. The values of others are not read. */
export async function readDocuments(
  { kysely }: Pick<Database, "kysely">,
  table: Table,
  ids: readonly string[],
  filter: Filter | null,
): Promise<Map<string, Values>> {
  const rows = await rowsOf<{ id: string; values: Values }>(kysely)`
    select ${idRef("t")} as id, ${documentExpression(table, "t")} as values
    from ${tableRef(table)} t
    where ${idRef("t")} = any(${ids}::text[]) and ${viewCondition(table, filter)}`;
  return new Map(rows.map(({ id, values }) => [id, values]));
}
