import { sql } from "kysely";
import type { Db } from "../database.ts";

/** Table watchfloor.setup_token: whoever has one of these may create the owner while there is no user. */

/** Stores a token beside earlier ones, as issued now or when it was issued first. */
export async function insertSetupToken(db: Db, id: string, issued?: string): Promise<void> {
  await sql`insert into watchfloor.setup_token (id, created_at)
    values (${id}, coalesce(${issued ?? null}::timestamptz, now())) on conflict do nothing`.execute(
    db,
  );
}

/**
 * Removes the token, so that of two holders one continues. Returns when it was issued; null: expired or
 * unknown.
 */
export async function claimSetupToken(db: Db, id: string, ttlMs: number): Promise<string | null> {
  const { rows } = await sql<{ issued: string; valid: boolean }>`
    delete from watchfloor.setup_token where id = ${id}
    returning created_at::text as issued,
      created_at > now() - ${ttlMs} * interval '1 millisecond' as valid`.execute(db);
  return rows[0]?.valid ? rows[0].issued : null;
}

/** Invalidates all tokens: there is an owner. */
export async function deleteSetupTokens(db: Db): Promise<void> {
  await sql`delete from watchfloor.setup_token`.execute(db);
}
