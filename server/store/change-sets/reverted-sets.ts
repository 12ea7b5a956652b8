import { sql } from "kysely";
import type { Db } from "../database.ts";
import { rowOf, rowsOf } from "../statement.ts";

/** A set, the sets that revert it, those that revert these, and so on. */
const family = (set: string) => sql`family(id, "isOwn") as (
  select ${set}::text, true
  union all
  select s.id, false from watchfloor.change_set s join family m on s.reverts = m.id)`;

/**
 * Whether reverts of a set, and reverts of those, together leave nothing of its changes: each cell holds what it held before
 * the set, each record that the set created is deleted, and each that it deleted is there. What others wrote later is not
 * looked at. `fields` are the fields of each table that can be written. Sets of more than `limit` changes are not checked.
 */
export async function areAllTakenBack(
  db: Db,
  set: string,
  fields: Readonly<Record<string, readonly string[]>>,
  limit: number,
): Promise<boolean> {
  if (!(await isEveryRecordTouched(db, set, limit))) return false;
  const rows = await rowsOf(db)`
    with recursive ${family(set)},
    changes as materialized (
      select c.feed, f.table_name as name, c.record, c.kind, c.ord, m."isOwn",
        case when f.names is null then c.before else watchfloor.named(c.before, f.names) end as before,
        case when f.names is null then c.after else watchfloor.named(c.after, f.names) end as after
      from family m join watchfloor.change c on c.change_set = m.id
      join watchfloor.feed f on f.id = c.feed),
    records as (
      select feed, record, (array_agg(kind order by ord) filter (where "isOwn"))[1] = 'insert' as "isNew",
        (array_agg(kind order by ord desc) filter (where "isOwn" and kind <> 'update'))[1] as own,
        (array_agg(kind order by ord desc) filter (where kind <> 'update'))[1] as last
      from changes group by feed, record having bool_or("isOwn")),
    cells as (
      select c.feed, c.record from changes c join records r using (feed, record)
      cross join lateral jsonb_object_keys(c.before) cell(field)
      where c.kind = 'update' and not r."isNew"
        and jsonb_exists(${JSON.stringify(fields)}::jsonb -> c.name, cell.field)
      group by c.feed, c.record, cell.field
      having bool_or(c."isOwn")
        and (array_agg(c.before -> cell.field order by c.ord) filter (where c."isOwn"))[1]
          is distinct from (array_agg(c.after -> cell.field order by c.ord desc))[1])
    select where exists (select from cells) or exists (select from records
      where ("isNew" and last <> 'delete') or (not "isNew" and own = 'delete' and last <> 'insert'))`;
  return rows.length === 0;
}

/** Whether reverts have changed every record of a set, which is soon found not to be so for most of them. */
async function isEveryRecordTouched(db: Db, set: string, limit: number): Promise<boolean> {
  const row = await rowOf<{ isEvery: boolean }>(db)`
    with recursive ${family(set)},
    own as (select feed, record, ord from watchfloor.change where change_set = ${set})
    select (select count(*) from (select from own limit ${limit + 1}) counted) between 1 and ${limit}
      and not exists (select from own where not exists (
        select from watchfloor.change c where c.feed = own.feed and c.record = own.record and c.ord > own.ord
          and c.change_set in (select id from family where not "isOwn"))) as "isEvery"`;
  return row?.isEvery ?? false;
}
