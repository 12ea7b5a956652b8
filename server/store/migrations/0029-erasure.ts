import { type Kysely, sql } from "kysely";

/** Which fields of a logged change had a value that was erased: an object whose keys are columns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table watchfloor.change add column erased jsonb`.execute(db);
  await sql`create index change_erased on watchfloor.change (feed, record)
    where erased is not null`.execute(db);
}
