import { sql } from "kysely";
import type { Db } from "../database.ts";
import type { UserRow } from "./users.ts";

/**
 * Table watchfloor.password_reset: one-time tokens, known by their hash, by which a user chooses a new
 * password.
 */

const ms = (milliseconds: number) => sql`${milliseconds} * interval '1 millisecond'`;

/** A newer link of the same user replaces the older one. Returns when it expires. */
export async function replaceReset(
  db: Db,
  reset: { id: string; user: string; ttlMs: number },
): Promise<string> {
  const { rows } = await sql<{ expires: string }>`
    with gone as (delete from watchfloor.password_reset where user_id = ${reset.user})
    insert into watchfloor.password_reset (id, user_id) values (${reset.id}, ${reset.user})
    returning created_at + ${ms(reset.ttlMs)} as expires`.execute(db);
  return rows[0]?.expires as string;
}

/** Whose password it resets; null if it is used, expired or never existed, or the user is disabled. */
export async function findReset(
  db: Db,
  id: string,
  maxAgeMs: number,
): Promise<Pick<UserRow, "id" | "email" | "name"> | null> {
  const { rows } = await sql<Pick<UserRow, "id" | "email" | "name">>`
    select u.id, u.email, u.name
    from watchfloor.password_reset r join watchfloor."user" u on u.id = r.user_id
    where r.id = ${id} and u.status = 'active' and r.created_at > now() - ${ms(maxAgeMs)}`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** Uses up the link; false if somebody was faster. */
export async function claimReset(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`delete from watchfloor.password_reset where id = ${id}
    returning id`.execute(db);
  return rows.length === 1;
}

/** Invalidates all links of users. */
export async function deleteResetsOf(db: Db, users: readonly string[]): Promise<void> {
  await sql`delete from watchfloor.password_reset
    where user_id = any(${users}::text[])`.execute(db);
}

/** Housekeeping: expired links are refused anyhow. */
export async function deleteOldResets(db: Db, maxAgeMs: number): Promise<void> {
  await sql`delete from watchfloor.password_reset
    where created_at < now() - ${ms(maxAgeMs)}`.execute(db);
}
