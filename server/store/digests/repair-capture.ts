import { sql } from "kysely";
import { findTable } from "../../../shared/model/model.ts";
import { installTriggers } from "../capture.ts";
import type { Database, Db } from "../database.ts";
import { holdModel } from "../models.ts";
import { installStamps } from "../stamps.ts";
import { rowsOf } from "../statement.ts";
import { insertSecurityEvent } from "../users/security-events.ts";

/** Triggers by the modes in which they may fire: see installTriggers. */
const modes: Record<string, string[]> = {
  watchfloor_insert: ["O", "A"],
  watchfloor_update: ["O", "A"],
  watchfloor_delete: ["O", "A"],
  watchfloor_replica: ["R"],
  watchfloor_truncate: ["A"],
  watchfloor_stamp: ["O", "A"],
};
const LOCK_TIMEOUT_MS = 1_000;

/** The tables of the published model that have recorded fields. */
const stampedTables = sql`
  select t.value ->> 'name' from (
    select document from watchfloor.model order by version desc limit 1) m
  cross join jsonb_array_elements(m.document -> 'tables') t
  where jsonb_path_exists(t.value, '$.fields[*].recorded ? (@ != null)')`;

/** The tables with a trigger of ours that is missing or disabled: for capture, or for the stamps of recorded fields. */
export function tablesWithoutCapture(db: Db): Promise<{ table: string; feed: number }[]> {
  return rowsOf<{ table: string; feed: number }>(db)`
    select f.table_name as "table", f.id as feed from watchfloor.feed f
    join pg_catalog.pg_class c on c.relname = f.table_name and c.relkind in ('r', 'p')
      and c.relnamespace = current_schema()::regnamespace
    where exists (
      select from jsonb_each(${JSON.stringify(modes)}::jsonb) wanted
      where (wanted.key <> 'watchfloor_stamp' or f.table_name in (${stampedTables})) and not exists (select from pg_catalog.pg_trigger t
        where t.tgrelid = c.oid and t.tgname = wanted.key and wanted.value ? t.tgenabled::text))
    order by 1`;
}

/**
 * Installs these triggers of a table again if one is missing or disabled, as after `disable trigger` or
 * a restore of the table alone. Returns whether it did.
 */
export async function repairCapture({ kysely }: Database, table: string): Promise<boolean> {
  const broken = await tablesWithoutCapture(kysely);
  const feed = broken.find((one) => one.table === table)?.feed;
  if (feed === undefined) return false;
  await kysely.transaction().execute(async (trx) => {
    await sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT_MS}ms'`).execute(trx);
    const model = await holdModel(trx);
    const published = findTable(model, table);
    await installTriggers(trx, { name: table, feed });
    if (published) await installStamps(trx, published);
    await insertSecurityEvent(trx, { kind: "capture_restored", detail: { table } });
  });
  return true;
}
