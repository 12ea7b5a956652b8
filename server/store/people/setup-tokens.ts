import { sql } from "kysely";
import type { Db } from "../database.ts";

/** Table watchfloor.setup_token: who holds one of these may create the owner while there is nobody. */

/** Makes the token good; it stands beside earlier ones. */
export async function insertSetupToken(db: Db, id: string): Promise<void> {
  await sql`insert into watchfloor.setup_token (id) values (${id})
    on conflict do nothing`.execute(db);
}

/** Takes the token away, so that of two who hold it one goes on. */
export async function claimSetupToken(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`delete from watchfloor.setup_token where id = ${id}
    returning id`.execute(db);
  return rows.length === 1;
}

/** None is good any more: there is an owner. */
export async function deleteSetupTokens(db: Db): Promise<void> {
  await sql`delete from watchfloor.setup_token`.execute(db);
}
