import type { Db } from "../database.ts";
import type { RowOf } from "../platform-tables.ts";
import { ago, firstOf, now, rowsWritten, wrote } from "../statement.ts";

/**
 * Tables watchfloor.passkey and watchfloor.passkey_challenge. Keys are public ones; a challenge is valid
 * once.
 */

export type PasskeyRow = RowOf<"watchfloor.passkey">;

/** Of a user, the oldest first. */
export function listPasskeys(db: Db, user: string): Promise<PasskeyRow[]> {
  const ofUser = db.selectFrom("watchfloor.passkey").where("user_id", "=", user);
  return ofUser.selectAll().orderBy("created_at").execute();
}

/** Whichever user has it. */
export function findPasskey(db: Db, id: string): Promise<PasskeyRow | null> {
  return firstOf(db.selectFrom("watchfloor.passkey").selectAll().where("id", "=", id));
}

/** Null if the passkey is known already. */
export function insertPasskey(
  db: Db,
  key: Omit<PasskeyRow, "created_at" | "last_used">,
): Promise<PasskeyRow | null> {
  const stored = { ...key, transports: JSON.stringify(key.transports) };
  const insert = db.insertInto("watchfloor.passkey").values(stored).returningAll();
  return firstOf(insert.onConflict((conflict) => conflict.doNothing()));
}

/** Records a use; false if the key is gone, or its counter has advanced meanwhile: a copy of it. */
export function notePasskeyUse(db: Db, id: string, counter: number): Promise<boolean> {
  const key = db.updateTable("watchfloor.passkey").where("id", "=", id);
  // many authenticators do not count
  const isCounting = counter > 0;
  const unused = key.where("counter", isCounting ? "<" : "=", counter);
  return wrote(unused.set({ counter, last_used: now }));
}

/** The name that it had; null if the user has no such passkey. */
export async function deletePasskey(db: Db, user: string, id: string): Promise<string | null> {
  const key = db.deleteFrom("watchfloor.passkey").where("user_id", "=", user).where("id", "=", id);
  return (await firstOf(key.returning("name")))?.name ?? null;
}

/** All of a user; returns how many. */
export function deletePasskeysOf(db: Db, user: string): Promise<number> {
  return rowsWritten(db.deleteFrom("watchfloor.passkey").where("user_id", "=", user));
}

/** `user` is null for a challenge of a sign-in, before the user is known. */
export async function insertChallenge(db: Db, id: string, user: string | null): Promise<void> {
  await db.insertInto("watchfloor.passkey_challenge").values({ id, user_id: user }).execute();
}

/** Uses up the challenge; false if it was used, has expired, was another's or never existed. */
export function claimChallenge(
  db: Db,
  id: string,
  { user, maxAgeMs }: { user: string | null; maxAgeMs: number },
): Promise<boolean> {
  const challenge = db.deleteFrom("watchfloor.passkey_challenge").where("id", "=", id);
  const own = challenge.where("user_id", "is not distinct from", user);
  return wrote(own.where("created_at", ">", ago(maxAgeMs)));
}

/** Housekeeping: expired challenges are refused anyhow. */
export async function deleteOldChallenges(db: Db, maxAgeMs: number): Promise<void> {
  const challenges = db.deleteFrom("watchfloor.passkey_challenge");
  await challenges.where("created_at", "<", ago(maxAgeMs)).execute();
}
