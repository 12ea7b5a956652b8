import { sql } from "kysely";
import type { Db } from "../database.ts";

/** Table watchfloor.recovery_code: codes for a lost second factor, by their hash, valid once each. */

/** Replaces all codes of the user. */
export async function replaceRecoveryCodes(
  db: Db,
  user: string,
  hashes: readonly string[],
): Promise<void> {
  await deleteRecoveryCodes(db, user);
  await sql`insert into watchfloor.recovery_code (user_id, hash)
    select ${user}, unnest(${hashes}::text[])`.execute(db);
}

/** Uses up the code; false if there is none. */
export async function spendRecoveryCode(db: Db, user: string, hash: string): Promise<boolean> {
  const { rows } = await sql`delete from watchfloor.recovery_code
    where user_id = ${user} and hash = ${hash} returning hash`.execute(db);
  return rows.length === 1;
}

/** How many are left. */
export async function countRecoveryCodes(db: Db, user: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from watchfloor.recovery_code where user_id = ${user}`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Removes all codes of the user. */
export async function deleteRecoveryCodes(db: Db, user: string): Promise<void> {
  await sql`delete from watchfloor.recovery_code where user_id = ${user}`.execute(db);
}
