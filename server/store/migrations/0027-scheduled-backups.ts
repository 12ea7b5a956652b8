import { type Kysely, sql } from "kysely";

/** The last scheduled backup, of whichever server: one row, which also decides who makes the next one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table watchfloor.scheduled_backup (
      sole boolean primary key default true check (sole),
      attempted_at timestamptz not null,
      -- Null while it is written.
      ended_at timestamptz,
      error text,
      -- Of the last one that succeeded.
      succeeded_at timestamptz,
      seconds double precision,
      bytes bigint,
      file text
    )`.execute(db);
}
