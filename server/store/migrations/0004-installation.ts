import { type Kysely, sql } from "kysely";

/**
 * One id for the installation, whatever the name by which its servers reach the database: what it
 * says on a shared Redis must not be heard by another one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table watchfloor.installation (
      id uuid primary key default gen_random_uuid(),
      sole boolean not null unique default true check (sole)
    )`.execute(db);
  await sql`insert into watchfloor.installation default values`.execute(db);
}
