import { sql } from "kysely";
import type { Filter } from "../../../shared/filter/filter.ts";
import type { Table } from "../../../shared/model/model.ts";
import type { Db } from "../database.ts";
import { rankColumn } from "../filter-columns.ts";
import { entryRef, idRef, tableRef } from "../identifiers.ts";
import { anyOf, countOf, execute, now, numberOf, rowCount, rowOf } from "../statement.ts";
import { viewCondition } from "../view-sql.ts";

/**
 * The order by hand of a view's records.
 *
 * A record that was moved has a rank in that view, and only such a record: all others are where their numbers of entry put them. Both are on
 * one scale, `coalesce(rank, entry)`, so that nothing has to be written for records that nobody moved, new ones come last, and one that is
 * deleted and restored returns to its place. Numbers of entry are whole, and a rank never is: it lies between two of them, or before
 * all, so no record that comes later can have the place of a rank.
 *
 * A record is put right behind its new neighbour in the order of the whole table. So records that the view or its reader does not show stay
 * where they are, and the answer says nothing of them. Where two ranks are too near to each other, those
 * between the same numbers of entry are spread anew (`spread`): at most as many as one view may have.
 *
 * A record that comes to where its number of entry alone would put it loses its rank: what is moved back is as before.
 */

/** Of a rank's digits behind the point, and what is left between two of them before those are spread. */
const DIGITS = 20;
const NEAREST = sql.lit("1e-15");

/** Where records are put: behind `low` and before `high`, which is not beyond the next number of entry. */
interface Gap {
  /** Null: before all others. Numbers as texts, because they are of any size. */
  behind: string | null;
  /** The place of the record that follows; null if there is none. */
  next: string | null;
  low: string;
  high: string;
  isWide: boolean;
}

/** Puts records behind another one, or before all, in this order. All of them are in the table, and `after` is none of them. */
export async function moveRecords(
  tx: Db,
  { view, table }: { view: string; table: Table },
  { records, after }: { records: readonly string[]; after: string | null },
): Promise<void> {
  const gap = async () => {
    const behind = after === null ? null : await placeOf(tx, { view, table }, after);
    return readGap(tx, { view, table }, { records, behind });
  };
  let found = await gap();
  if (await areInOrderOfEntry(tx, table, { records, gap: found })) {
    await tx
      .deleteFrom("watchfloor.record_rank")
      .where("view", "=", view)
      .where("record", "=", anyOf(records))
      .execute();
    return;
  }
  if (!found.isWide) {
    await spread(tx, view, found.low);
    found = await gap();
  }
  const { low, high } = found;
  await execute(tx)`
    insert into watchfloor.record_rank (view, record, rank)
    select ${view}, m.id, round(${low}::numeric
      + (${high}::numeric - ${low}::numeric) * m.n / ${records.length + 1}::numeric, ${sql.lit(DIGITS)})
    from unnest(${records}::text[]) with ordinality m (id, n)
    on conflict (view, record) do update set rank = excluded.rank`;
}

type Ordered = { view: string; table: Table };

async function placeOf(tx: Db, { view, table }: Ordered, record: string): Promise<string | null> {
  const { expression, join } = rankColumn("t", view);
  const row = await rowOf<{ place: string }>(tx)`
    select (${expression})::text as place from ${tableRef(table)} t ${join}
    where ${idRef("t")} = ${record}`;
  return row?.place ?? null;
}

/** Ranks of deleted records count: a restored one has its place between the same neighbours. */
async function readGap(
  tx: Db,
  { view, table }: Ordered,
  { records, behind }: { records: readonly string[]; behind: string | null },
): Promise<Gap> {
  const others = sql`select ${entryRef("t")} from ${tableRef(table)} t
    where ${entryRef("t")} > coalesce(floor(${behind}::numeric)::bigint, ${sql.lit("-9223372036854775808")}::bigint)
      and ${idRef("t")} <> all(${records}::text[])
      and not exists (select from watchfloor.record_rank r where r.view = ${view} and r.record = ${idRef("t")})
    order by ${entryRef("t")} limit 1`;
  const row = await rowOf<Gap>(tx)`
    with places as (
      select ${behind}::numeric as behind, least((${others}), (
        select rank from watchfloor.record_rank
        where view = ${view} and (${behind}::numeric is null or rank > ${behind}::numeric)
          and record <> all(${records}::text[])
        order by rank limit 1)) as next
    ), gap as (
      select behind, next, coalesce(behind, floor(next) - 1, 0) as low,
        case when behind is null then coalesce(floor(next), 1) else least(next, floor(behind) + 1) end as high
      from places
    )
    select behind::text, next::text, low::text, g.high::text,
      (g.high - g.low) / ${records.length + 1}::numeric >= ${NEAREST}::numeric as "isWide"
    from gap g`;
  if (!row) throw new Error("A statement without rows.");
  return row;
}

/** Whether the records would be in this gap, and in this order, by their numbers of entry alone. */
async function areInOrderOfEntry(
  tx: Db,
  table: Table,
  { records, gap: { behind, next } }: { records: readonly string[]; gap: Gap },
): Promise<boolean> {
  const row = await rowOf<{ are: boolean }>(tx)`
    select bool_and(e.entry > coalesce(e.previous, ${behind}::numeric, e.entry - 1)
      and e.entry < coalesce(${next}::numeric, e.entry + 1)) as are
    from (
      select ${entryRef("t")}::numeric as entry, lag(${entryRef("t")}::numeric) over (order by m.n) as previous
      from unnest(${records}::text[]) with ordinality m (id, n)
      join ${tableRef(table)} t on ${idRef("t")} = m.id
    ) e`;
  return row?.are === true;
}

/** Gives the ranks between a number of entry and the next one equal distances. */
async function spread(tx: Db, view: string, low: string): Promise<void> {
  await execute(tx)`
    update watchfloor.record_rank r set rank = n.rank from (
      select record, round(floor(rank) + row_number() over (order by rank, record)
        / (count(*) over () + 1)::numeric, ${sql.lit(DIGITS)}) as rank
      from watchfloor.record_rank
      where view = ${view} and rank > floor(${low}::numeric) and rank < floor(${low}::numeric) + 1
    ) n where r.view = ${view} and r.record = n.record`;
}

/** Puts all records back where their numbers of entry put them. */
export async function deleteRanks(tx: Db, view: string): Promise<void> {
  await tx.deleteFrom("watchfloor.record_rank").where("view", "=", view).execute();
}

/** A copy of a view begins with its order. */
export async function copyRanks(tx: Db, from: string, to: string): Promise<void> {
  const ranks = tx.selectFrom("watchfloor.record_rank").where("view", "=", from);
  await tx
    .insertInto("watchfloor.record_rank")
    .columns(["view", "record", "rank"])
    .expression(ranks.select((eb) => [eb.val(to).as("view"), "record", "rank"]))
    .execute();
  const copied = tx.selectFrom("watchfloor.view").where("id", "=", from).select("order_version");
  const copy = tx.updateTable("watchfloor.view").where("id", "=", to);
  await copy.set({ order_version: sql<number>`${copied}` }).execute();
}

/** How many records of a view have ranks. If they are more than the bound, ranks of records that the table has no longer go first. */
export async function countRanks(tx: Db, { view, table }: Ordered, bound: number): Promise<number> {
  const ranks = tx.selectFrom("watchfloor.record_rank").where("view", "=", view);
  const count = () => countOf(ranks.select(rowCount));
  const all = await count();
  if (all <= bound) return all;
  await execute(tx)`delete from watchfloor.record_rank r where r.view = ${view}
    and not exists (select from ${tableRef(table)} t where ${idRef("t")} = r.record)`;
  return count();
}

/** The order of a view is another one. */
export async function markMoved(tx: Db, view: string, author: string): Promise<void> {
  const changed = {
    order_version: sql<number>`order_version + 1`,
    updated_at: now,
    updated_by: author,
  };
  await tx.updateTable("watchfloor.view").where("id", "=", view).set(changed).execute();
}

/** How many of these records match. */
export function countNamed(
  tx: Db,
  table: Table,
  { ids, filter }: { ids: readonly string[]; filter: Filter | null },
): Promise<number> {
  return numberOf(tx)`select count(*)::int from ${tableRef(table)} t
    where ${idRef("t")} = any(${ids}::text[]) and ${viewCondition(table, filter)}`;
}

/** How many records match, up to one more than the bound. */
export function countMatches(
  tx: Db,
  table: Table,
  { filter, bound }: { filter: Filter | null; bound: number },
): Promise<number> {
  return numberOf(tx)`select count(*)::int from (
    select from ${tableRef(table)} t where ${viewCondition(table, filter)} limit ${bound + 1}) m`;
}
