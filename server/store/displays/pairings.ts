import { sql } from "kysely";
import type { Db } from "../database.ts";
import { ago, firstOf, milliseconds, now, wrote } from "../statement.ts";

/**
 * Table watchfloor.display_pairing: screens that show a code. A code is used once; the screen fetches its
 * credential by its own secret, again if the answer was lost, until it was seen using it.
 */

const expires = (ttlMs: number) => sql<string>`created_at + ${milliseconds(ttlMs)}`.as("expires");

/** Returns when the code expires, by the database's clock, and that clock's time. */
export function insertPairing(
  db: Db,
  { secretHash, codeHash, ttlMs }: { secretHash: string; codeHash: string; ttlMs: number },
): Promise<{ expires: string; now: string } | null> {
  const pairing = { secret_hash: secretHash, code_hash: codeHash };
  const insert = db.insertInto("watchfloor.display_pairing").values(pairing);
  const unused = insert.onConflict((conflict) => conflict.doNothing());
  return firstOf(unused.returning([expires(ttlMs), now.as("now")]));
}

/** Binds the screen that shows the code to a display; false if none shows it (any more). */
export function claimPairing(
  db: Db,
  codeHash: string,
  display: string,
  ttlMs: number,
): Promise<boolean> {
  const pairing = db.updateTable("watchfloor.display_pairing").set({ display_id: display });
  const shown = pairing.where("code_hash", "=", codeHash).where("display_id", "is", null);
  return wrote(shown.where("created_at", ">", ago(ttlMs)));
}

/** The state of a screen's pairing, and when its code expires; null if that is too old or never existed. */
export function findPairing(
  db: Db,
  secretHash: string,
  ttlMs: number,
): Promise<{ display_id: string | null; expires: string } | null> {
  const pairing = db
    .selectFrom("watchfloor.display_pairing")
    .select(["display_id", expires(ttlMs)]);
  const fresh = pairing.where("created_at", ">", ago(ttlMs));
  return firstOf(fresh.where("secret_hash", "=", secretHash));
}

/** Locks the display until the transaction ends. */
export async function lockDisplay(tx: Db, id: string): Promise<void> {
  const display = tx.selectFrom("watchfloor.display").select("id").where("id", "=", id);
  await display.forNoKeyUpdate().execute();
}

/** Replaces a display's credential. */
export function setDisplayToken(db: Db, id: string, tokenHash: string): Promise<boolean> {
  const display = db.updateTable("watchfloor.display").where("id", "=", id);
  return wrote(display.set({ token_hash: tokenHash, revoked_at: null }));
}

/** Invalidates the code that this screen has shown. */
export async function deletePairing(db: Db, secretHash: string): Promise<void> {
  await db.deleteFrom("watchfloor.display_pairing").where("secret_hash", "=", secretHash).execute();
}

/** The display uses its credential: the secret of the pairing is invalid from now on. */
export async function deletePairingsOf(db: Db, display: string): Promise<void> {
  await db.deleteFrom("watchfloor.display_pairing").where("display_id", "=", display).execute();
}

/** Housekeeping: expired codes are refused anyhow. */
export async function deleteOldPairings(db: Db, ttlMs: number): Promise<void> {
  await db.deleteFrom("watchfloor.display_pairing").where("created_at", "<=", ago(ttlMs)).execute();
}
