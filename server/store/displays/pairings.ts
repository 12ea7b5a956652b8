import { sql } from "kysely";
import type { Db } from "../database.ts";

/**
 * Table watchfloor.display_pairing: screens that show a code. A code is used once; the screen fetches its
 * credential by its own secret, again if the answer was lost, until it was seen using it.
 */

const fresh = (ttlMs: number) => sql`created_at > now() - ${ttlMs} * interval '1 millisecond'`;

/** Returns when the code expires, by the database's clock, and that clock's time. */
export async function insertPairing(
  db: Db,
  pairing: { secretHash: string; codeHash: string; ttlMs: number },
): Promise<{ expires: string; now: string } | null> {
  const { rows } = await sql<{ expires: string; now: string }>`
    insert into watchfloor.display_pairing (secret_hash, code_hash)
    values (${pairing.secretHash}, ${pairing.codeHash}) on conflict do nothing
    returning created_at + ${pairing.ttlMs} * interval '1 millisecond' as expires, now() as now
  `.execute(db);
  return rows[0] ?? null;
}

/** Binds the screen that shows the code to a display; false if none shows it (any more). */
export async function claimPairing(
  db: Db,
  codeHash: string,
  display: string,
  ttlMs: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`update watchfloor.display_pairing
    set display_id = ${display}
    where code_hash = ${codeHash} and display_id is null and ${fresh(ttlMs)}`.execute(db);
  return numAffectedRows === 1n;
}

/** The state of a screen's pairing, and when its code expires; null if that is too old or never existed. */
export async function findPairing(
  db: Db,
  secretHash: string,
  ttlMs: number,
): Promise<{ display_id: string | null; expires: string } | null> {
  const { rows } = await sql<{ display_id: string | null; expires: string }>`
    select display_id, created_at + ${ttlMs} * interval '1 millisecond' as expires
    from watchfloor.display_pairing
    where secret_hash = ${secretHash} and ${fresh(ttlMs)}`.execute(db);
  return rows[0] ?? null;
}

/** Locks the display until the transaction ends. */
export async function lockDisplay(tx: Db, id: string): Promise<void> {
  await sql`select 1 from watchfloor.display where id = ${id} for no key update`.execute(tx);
}

/** Replaces a display's credential. */
export async function setDisplayToken(db: Db, id: string, tokenHash: string): Promise<boolean> {
  const { numAffectedRows } = await sql`update watchfloor.display
    set token_hash = ${tokenHash}, revoked_at = null where id = ${id}`.execute(db);
  return numAffectedRows === 1n;
}

/** Invalidates the code that this screen has shown. */
export async function deletePairing(db: Db, secretHash: string): Promise<void> {
  await sql`delete from watchfloor.display_pairing where secret_hash = ${secretHash}`.execute(db);
}

/** The display uses its credential: the secret of the pairing is invalid from now on. */
export async function deletePairingsOf(db: Db, display: string): Promise<void> {
  await sql`delete from watchfloor.display_pairing where display_id = ${display}`.execute(db);
}

/** Housekeeping: expired codes are refused anyhow. */
export async function deleteOldPairings(db: Db, ttlMs: number): Promise<void> {
  await sql`delete from watchfloor.display_pairing where not (${fresh(ttlMs)})`.execute(db);
}
