import { sql } from "kysely";
import type { Db } from "../database.ts";
import type { UserRow } from "./users.ts";

/** Table watchfloor.invitation: one-time tokens, known by their hash, by which a user chooses a password. */

/** A newer invitation of the same user replaces the older one. Returns when it expires. */
export async function replaceInvitation(
  db: Db,
  { id, user, ttlMs }: { id: string; user: string; ttlMs: number },
): Promise<string> {
  const { rows } = await sql<{ expires: string }>`
    with gone as (delete from watchfloor.invitation where user_id = ${user})
    insert into watchfloor.invitation (id, user_id) values (${id}, ${user})
    returning created_at + ${ttlMs} * interval '1 millisecond' as expires`.execute(db);
  return rows[0]?.expires as string;
}

/** Invalidates all invitations of users. */
export async function deleteInvitationsOf(db: Db, users: readonly string[]): Promise<void> {
  await sql`delete from watchfloor.invitation
    where user_id = any(${users}::text[])`.execute(db);
}

/** The invited user; null if the token is used, expired or never existed. */
export async function findInvited(db: Db, id: string, maxAgeMs: number): Promise<UserRow | null> {
  const { rows } = await sql<UserRow>`
    select u.id, u.email, u.name, u.colour, u.role, u.attributes, u.status, u.last_seen, u.created_at
    from watchfloor.invitation i join watchfloor."user" u on u.id = i.user_id
    where i.id = ${id} and u.status = 'invited'
      and i.created_at > now() - ${maxAgeMs} * interval '1 millisecond'`.execute(db);
  return rows[0] ?? null;
}

/**
 * Uses up the invitation and activates the user; false if somebody was faster. The user is locked before the
 * invitation, as in every change of users and their links, so that there is no deadlock.
 */
export async function acceptInvitation(
  tx: Db,
  id: string,
  set: { passwordHash: string; name: string | null },
): Promise<boolean> {
  await sql`select 1 from watchfloor."user"
    where id = (select user_id from watchfloor.invitation where id = ${id})
    for no key update`.execute(tx);
  const { numAffectedRows } = await sql`
    with used as (delete from watchfloor.invitation where id = ${id} returning user_id)
    update watchfloor."user" set status = 'active', password_hash = ${set.passwordHash},
      name = coalesce(${set.name}, name)
    where status = 'invited' and id in (select user_id from used)`.execute(tx);
  return numAffectedRows === 1n;
}
