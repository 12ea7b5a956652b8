import { type Kysely, sql } from "kysely";
import type { Model } from "../../../shared/model/model.ts";
import { installCapture } from "../capture.ts";

/**
 * Finds changes that the triggers did not see (digests/compare-slice.ts). `known_record` holds a digest of each record
 * as it was when it was last compared with the change log.
 *
 * Changes are captured in replica mode, too: the trigger that numbers them fires always, and every table gets a row
 * trigger for that mode.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  const { rows } = await sql<{ document: Model }>`
    select document from watchfloor.model order by version desc limit 1`.execute(db);
  for (const table of rows[0]?.document.tables ?? []) await installCapture(db, table);
}

const statements = [
  `create table watchfloor.known_record (
    feed int not null,
    record text collate "C" not null,
    digest uuid not null,
    primary key (feed, record)
  )`,

  // `shape`: the place in the log (change.ord) up to which its documents need not agree with the stored records, because
  // a change of the model rewrote these without an entry. `digested_shape`: the shape for which known_record is complete.
  "alter table watchfloor.feed add column shape bigint not null default 0, add column digested_shape bigint",
  "update watchfloor.feed set shape = nextval('watchfloor.change_ord')",

  "alter table watchfloor.marker enable always trigger number_changes",

  `create function watchfloor.reshape(of_feed int) returns void
  language sql set search_path = pg_catalog as $$
    update watchfloor.feed set shape = nextval('watchfloor.change_ord') where id = of_feed;
  $$`,

  // A truncated table has no entry for each record in the log.
  `create or replace function watchfloor.new_epoch() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
  begin
    perform watchfloor.break_epoch(id), watchfloor.reshape(id)
    from watchfloor.feed where table_name = tg_argv[0];
    perform pg_notify('watchfloor_feed', tg_argv[0]);
    return null;
  end $$`,
];
