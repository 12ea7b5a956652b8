import { sql } from "kysely";
import type { Table } from "../../../shared/model/model.ts";
import { renewEpochs } from "../capture.ts";
import { idColumn, storedDocument } from "../columns.ts";
import type { Database, Db } from "../database.ts";
import { execute, rowOf, rowsOf } from "../statement.ts";
import { insertSecurityEvent } from "../users/security-events.ts";
import { feedOf, isExplained, lastImage } from "./compare-slice.ts";

const ACTOR = "system:Watchfloor";
const REASON = "Found in the table: it was changed past the change log.";
/** How long writers of the table may delay us, and wait for us. */
const LOCK_TIMEOUT_MS = 1_000;
/** Records that the event names; it counts all of them. */
const NAMED_MAX = 100;

/**
 * Logs changes that bypassed the log, and begins another epoch of the table, so that every client and tile
 * reads it again. The records are compared once more while nobody else can write to the table. Returns those
 * that were found.
 */
export async function recordBypassed(
  { kysely }: Database,
  table: Table,
  modelVersion: number,
  suspects: readonly string[],
): Promise<string[]> {
  return await kysely.transaction().execute(async (trx) => {
    await sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT_MS}ms'`).execute(trx);
    await execute(trx)`lock table ${sql.id(table.name)} in share mode`;
    // Before the entries: those after it belong to this marker.
    const since = await rowOf<{ ord: string }>(trx)`
      select nextval('watchfloor.change_ord')::text as ord`;
    const found = await enter(trx, table, modelVersion, suspects);
    if (found.length === 0) return found;
    await execute(trx)`insert into watchfloor.marker (tx, since)
      values (pg_current_xact_id(), ${since?.ord}::bigint)`;
    await execute(trx)`set constraints watchfloor.number_changes immediate`;
    await renewEpochs(trx, await rowsOf<{ id: number }>(trx)`${feedOf(table)}`);
    const records = found.slice(0, NAMED_MAX);
    const detail = { table: table.name, count: found.length, records };
    await insertSecurityEvent(trx, { kind: "capture_bypassed", detail });
    return found;
  });
}

async function enter(
  trx: Db,
  table: Table,
  modelVersion: number,
  suspects: readonly string[],
): Promise<string[]> {
  const id = sql.id(idColumn);
  const rows = await rowsOf<{ record: string }>(trx)`
    with feed as materialized (${feedOf(table)}),
    stored as materialized (
      select s.record, t.${id} is not null as is_stored, ${storedDocument(table, "t")} as document
      from unnest(${suspects}::text[]) as s(record)
      left join ${sql.id(table.name)} t on t.${id} = s.record
    ), digested as materialized (
      select record, case when is_stored then document end as document,
        case when is_stored then pg_catalog.md5(document::text)::uuid end as digest
      from stored
    ), found as materialized (
      select d.*, f.id as feed, l.after as image,
        case when d.digest is null then 'delete'
          when l.kind = 'delete' or (l.kind is null and k.record is null) then 'insert'
          else 'update' end as kind
      from digested d cross join feed f ${lastImage("f", "d.record")}
      left join watchfloor.known_record k on k.feed = f.id and k.record = d.record
      where f.model_version = ${modelVersion} and not ${isExplained("f", "d.digest")}
        and (d.digest is not null or k.record is not null)
    ), entered as (
      insert into watchfloor.change (feed, record, kind, before, after, actor, reason)
      select feed, record, kind, case kind when 'delete' then coalesce(image, '{}')
          when 'update' then (
            select coalesce(jsonb_object_agg(e.key, e.value), '{}') from jsonb_each(image) e
            where document ? e.key and document -> e.key is distinct from e.value) end,
        document, ${ACTOR}, ${REASON}
      from found
    ), learned as (
      insert into watchfloor.known_record (feed, record, digest)
      select feed, record, digest from found where digest is not null
      on conflict (feed, record) do update set digest = excluded.digest
    ), forgotten as (
      delete from watchfloor.known_record k using found f
      where f.digest is null and k.feed = f.feed and k.record = f.record
    )
    select record from found order by record`;
  return rows.map(({ record }) => record);
}
