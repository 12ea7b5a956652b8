import { type Kysely, sql } from "kysely";

/**
 * A removed table leaves its feed behind: without a name, but with the id of the table, so that what the log
 * holds of it stays attributable until it is old. One transaction's changes are found by feed and position,
 * the order in which the sweep deletes them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  "alter table watchfloor.feed alter column table_name drop not null",
  "alter table watchfloor.feed add column table_id text",
  `update watchfloor.feed f set table_id = coalesce(t.value ->> 'id', t.value ->> 'name')
   from (select document from watchfloor.model order by version desc limit 1) m
   cross join jsonb_array_elements(m.document -> 'tables') t
   where t.value ->> 'name' = f.table_name`,
];
