import { type Kysely, sql } from "kysely";

/** Mutations that were refused as a whole are deleted after minutes: the sweep finds them without reading the others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index mutation_refused on watchfloor.mutation (at)
    where not (results @> '[{"ok": true}]')`.execute(db);
}
