import { sql } from "kysely";
import type { Table } from "../../../shared/model/model.ts";
import { idColumn, storedDocument } from "../columns.ts";
import type { Db } from "../database.ts";
import { rowsOf } from "../statement.ts";

/** A slice of a table that was compared with the change log. */
export interface ComparedSlice {
  /** The last record of the slice; null if the table ends with it. */
  last: string | null;
  /** Records that differ from the log. */
  bypassed: string[];
}

/**
 * Compares the records after `after`, in the order of their ids, with their stored digests. One that differs
 * is right if the last image in the log is the same; its digest is stored then. One statement and so one
 * snapshot, without any lock. Null if another model is published than `modelVersion`.
 */
export async function compareSlice(
  db: Db,
  table: Table,
  modelVersion: number,
  after: string,
  limit: number,
): Promise<ComparedSlice | null> {
  const id = sql.id(idColumn);
  const found = await rowsOf<ComparedSlice & { modelVersion: number }>(db)`
    with feed as materialized (${feedOf(table)}),
    slice as materialized (
      select t.${id} as record, ${digestOf(storedDocument(table, "t"))} as digest
      from ${sql.id(table.name)} t where t.${id} > ${after} order by t.${id} limit ${limit}
    ), bound as (
      select case when count(*) = ${limit} then max(record) end as last from slice
    ), known as materialized (
      select k.record, k.digest from bound b, feed f join watchfloor.known_record k on k.feed = f.id
      where k.record > ${after} and (b.last is null or k.record <= b.last)
    ), compared as materialized (
      select d.record, d.digest, ${isExplained("f", "d.digest")} as ok
      from (
        select coalesce(s.record, k.record) as record, s.digest
        from slice s full join known k on k.record = s.record
        where s.digest is distinct from k.digest
      ) d cross join feed f ${lastImage("f", "d.record")}
    ), learned as (
      insert into watchfloor.known_record (feed, record, digest)
      select f.id, c.record, c.digest from compared c cross join feed f
      where c.ok and c.digest is not null and f.model_version = ${modelVersion}
      on conflict (feed, record) do update set digest = excluded.digest
    ), forgotten as (
      delete from watchfloor.known_record k using compared c, feed f
      where c.ok and c.digest is null and k.feed = f.id and k.record = c.record
        and f.model_version = ${modelVersion}
    )
    select f.model_version as "modelVersion", b.last,
      array(select record from compared where not ok) as bypassed
    from feed f cross join bound b`;
  const [slice] = found;
  return slice?.modelVersion === modelVersion ? slice : null;
}

/** The table's feed, and the version of the model that is published in the same snapshot. */
export const feedOf = ({ name }: Table) => sql`
  select f.id, f.shape, f.digested_shape, (select max(version) from watchfloor.model) as model_version
  from watchfloor.feed f where f.table_name = ${name}`;

/** The same for a stored record and for its image in the log. */
const digestOf = (document: ReturnType<typeof storedDocument>) =>
  sql`pg_catalog.md5((${document})::text)::uuid`;

/** The last entry of a record in the log, as `l`. */
export const lastImage = (feed: string, record: string) => sql`
  left join lateral (
    select c.ord, c.kind, c.after from watchfloor.change c
    where c.feed = ${sql.ref(`${feed}.id`)} and c.record = ${sql.ref(record)}
    order by c.ord desc limit 1
  ) l on true`;

/**
 * Whether the log agrees with a record, or need not: images older than the table's shape are not compared;
 * one pass over the whole table stores their digests.
 */
export const isExplained = (feed: string, digest: string) => sql`
  case when ${sql.ref(`${feed}.digested_shape`)} is distinct from ${sql.ref(`${feed}.shape`)}
      and coalesce(l.ord, 0) <= ${sql.ref(`${feed}.shape`)} then true
    when ${sql.ref(digest)} is null then l.kind is not null and l.kind = 'delete'
    else l.after is not null and ${digestOf(sql`l.after`)} = ${sql.ref(digest)} end`;
