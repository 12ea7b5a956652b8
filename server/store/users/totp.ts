import { sql } from "kysely";
import type { Db } from "../database.ts";

/** Table watchfloor.totp: the authenticator of a user. Unconfirmed, it is not required anywhere. */

export interface TotpRow {
  secret: string;
  confirmed: boolean;
  /** Milliseconds since it was begun, by the database's clock. */
  age: number;
}

/** Active, or being enrolled; null if there is none. */
export async function findTotp(db: Db, user: string): Promise<TotpRow | null> {
  const { rows } = await sql<TotpRow>`
    select secret, confirmed, (extract(epoch from now() - created_at) * 1000)::float8 as age
    from watchfloor.totp where user_id = ${user}`.execute(db);
  return rows[0] ?? null;
}

/** A new secret replacing an unconfirmed one; false if one is active. */
export async function startTotp(db: Db, user: string, secret: string): Promise<boolean> {
  const { rows } = await sql`
    insert into watchfloor.totp as t (user_id, secret) values (${user}, ${secret})
    on conflict (user_id) do update
      set secret = excluded.secret, last_step = 0, created_at = now() where not t.confirmed
    returning user_id`.execute(db);
  return rows.length === 1;
}

/**
 * Uses up the code of a step: false if that step, or a later one, was used before, or the secret has changed
 * since the code was checked.
 */
export async function spendTotpStep(
  db: Db,
  user: string,
  { secret, step }: { secret: string; step: number },
): Promise<boolean> {
  const { rows } = await sql`
    update watchfloor.totp set last_step = ${step}, confirmed = true
    where user_id = ${user} and secret = ${secret} and last_step < ${step}
    returning user_id`.execute(db);
  return rows.length === 1;
}

/** False if there was none. */
export async function deleteTotp(db: Db, user: string): Promise<boolean> {
  const { rows } = await sql`delete from watchfloor.totp where user_id = ${user}
    returning user_id`.execute(db);
  return rows.length === 1;
}
