import type { Db } from "../database.ts";
import { rowCount, wrote } from "../statement.ts";

/** Table watchfloor.recovery_code: codes for a lost second factor, by their hash, valid once each. */

/** Replaces all codes of the user. */
export async function replaceRecoveryCodes(
  db: Db,
  user: string,
  hashes: readonly string[],
): Promise<void> {
  await deleteRecoveryCodes(db, user);
  const codes = hashes.map((hash) => ({ user_id: user, hash }));
  await db.insertInto("watchfloor.recovery_code").values(codes).execute();
}

/** Uses up the code; false if there is none. */
export function spendRecoveryCode(db: Db, user: string, hash: string): Promise<boolean> {
  const code = db.deleteFrom("watchfloor.recovery_code").where("user_id", "=", user);
  return wrote(code.where("hash", "=", hash));
}

/** How many are left. */
export async function countRecoveryCodes(db: Db, user: string): Promise<number> {
  const codes = db.selectFrom("watchfloor.recovery_code").where("user_id", "=", user);
  return (await codes.select(rowCount).executeTakeFirstOrThrow()).count;
}

/** Removes all codes of the user. */
export async function deleteRecoveryCodes(db: Db, user: string): Promise<void> {
  await db.deleteFrom("watchfloor.recovery_code").where("user_id", "=", user).execute();
}
