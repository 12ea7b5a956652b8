import { sql } from "kysely";
import type { Db } from "../database.ts";
import { firstOf, now, wrote } from "../statement.ts";

/** Table watchfloor.totp: the authenticator of a user. Unconfirmed, it is not required anywhere. */

/** Active, or being enrolled; null if there is none. `age`: milliseconds since it was begun, by the database's clock. */
export function findTotp(db: Db, user: string) {
  const age = sql<number>`(extract(epoch from now() - created_at) * 1000)::float8`.as("age");
  const totp = db.selectFrom("watchfloor.totp").select(["secret", "confirmed", age]);
  return firstOf(totp.where("user_id", "=", user));
}

/** A new secret replacing an unconfirmed one; false if one is active. */
export function startTotp(db: Db, user: string, secret: string): Promise<boolean> {
  const start = db.insertInto("watchfloor.totp").values({ user_id: user, secret });
  return wrote(
    start.onConflict((current) =>
      current
        .column("user_id")
        .doUpdateSet({ secret, last_step: 0, created_at: now })
        .where(sql<boolean>`not totp.confirmed`),
    ),
  );
}

/**
 * Uses up the code of a step: false if that step, or a later one, was used before, or the secret has changed
 * since the code was checked.
 */
export function spendTotpStep(
  db: Db,
  user: string,
  { secret, step }: { secret: string; step: number },
): Promise<boolean> {
  const totp = db.updateTable("watchfloor.totp").set({ last_step: step, confirmed: true });
  const current = totp.where("user_id", "=", user).where("secret", "=", secret);
  return wrote(current.where("last_step", "<", step));
}

/** False if there was none. */
export function deleteTotp(db: Db, user: string): Promise<boolean> {
  return wrote(db.deleteFrom("watchfloor.totp").where("user_id", "=", user));
}
