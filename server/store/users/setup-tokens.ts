import { sql } from "kysely";
import type { Db } from "../database.ts";
import { ago, firstOf } from "../statement.ts";

/** Table watchfloor.setup_token: whoever has one of these may create the owner while there is no user. */

/** Stores a token beside earlier ones, as issued now or when it was issued first. */
export async function insertSetupToken(db: Db, id: string, issued?: string): Promise<void> {
  const token = { id, ...(issued !== undefined && { created_at: issued }) };
  const stored = db.insertInto("watchfloor.setup_token").values(token);
  await stored.onConflict((conflict) => conflict.doNothing()).execute();
}

/**
 * Removes the token, so that of two holders one continues. Returns when it was issued; null: expired or
 * unknown.
 */
export async function claimSetupToken(db: Db, id: string, ttlMs: number): Promise<string | null> {
  const claimed = await firstOf(
    db
      .deleteFrom("watchfloor.setup_token")
      .where("id", "=", id)
      .returning(["created_at", sql<boolean>`created_at > ${ago(ttlMs)}`.as("valid")]),
  );
  return claimed?.valid ? claimed.created_at : null;
}

/** Invalidates all tokens: there is an owner. */
export async function deleteSetupTokens(db: Db): Promise<void> {
  await db.deleteFrom("watchfloor.setup_token").execute();
}
