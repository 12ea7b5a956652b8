import { type Kysely, sql } from "kysely";

/**
 * A wallboard that was removed is kept for a while, so that removing it can be taken back: with its id,
 * what is published of it, and the displays that show it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table watchfloor.wallboard add column removed_at timestamptz`.execute(db);
}
