import { randomBytes } from "node:crypto";
import { type Kysely, sql } from "kysely";

/**
 * A key that the servers of an installation share by way of the database: what they say to each other
 * over Redis is encrypted with it (ADR 24).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table watchfloor.installation add column bus_key text`.execute(db);
  const key = randomBytes(32).toString("hex");
  await sql`update watchfloor.installation set bus_key = ${key}`.execute(db);
  await sql`alter table watchfloor.installation alter column bus_key set not null`.execute(db);
}
