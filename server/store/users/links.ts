import { sql } from "kysely";
import type { Db } from "../database.ts";
import { ago, anyOf, firstOf, milliseconds, wrote } from "../statement.ts";
import { type UserRow, userColumns } from "./users.ts";

/**
 * Tables watchfloor.invitation and watchfloor.password_reset: one-time tokens, known by their hash, by which a user
 * chooses a password.
 */

export type LinkKind = "invitation" | "password_reset";

/** A newer link of the same user replaces the older one. Returns when it expires. */
export async function replaceLink(
  tx: Db,
  kind: LinkKind,
  { id, user, ttlMs, secret }: { id: string; user: string; ttlMs: number; secret: string | null },
): Promise<string> {
  await deleteLinksOf(tx, kind, [user]);
  const link = tx.insertInto(`watchfloor.${kind}`).values({ id, user_id: user, secret });
  const expires = sql<string>`created_at + ${milliseconds(ttlMs)}`.as("expires");
  return (await link.returning(expires).executeTakeFirstOrThrow()).expires;
}

/** Whose link it is; null if it is used, expired or never existed, or the user has another status by now. */
export function findUserOfLink(
  db: Db,
  kind: LinkKind,
  { id, status, maxAgeMs }: { id: string; status: UserRow["status"]; maxAgeMs: number },
): Promise<UserRow | null> {
  const linked = db
    .selectFrom(`watchfloor.${kind}`)
    .select("user_id")
    .where("id", "=", id)
    .where("created_at", ">", ago(maxAgeMs));
  const user = db.selectFrom("watchfloor.user").select(userColumns).where("id", "in", linked);
  return firstOf(user.where("status", "=", status));
}

/** The encrypted token of a valid link that waits to be mailed. */
export function findMailedLink(
  db: Db,
  kind: LinkKind,
  { user, ttlMs, status }: { user: string; ttlMs: number; status: UserRow["status"] },
): Promise<{ secret: string; expires: string } | null> {
  return firstOf(
    db
      .selectFrom(`watchfloor.${kind} as l`)
      .innerJoin("watchfloor.user as u", "u.id", "l.user_id")
      .select(sql<string>`l.secret`.as("secret"))
      .select(sql<string>`l.created_at + ${milliseconds(ttlMs)}`.as("expires"))
      .where("u.id", "=", user)
      .where("u.status", "=", status)
      .where("l.created_at", ">", ago(ttlMs))
      .where("l.secret", "is not", null),
  );
}

/** Its mail was sent: nobody has to read the token again. */
export async function forgetMailedLink(db: Db, kind: LinkKind, user: string): Promise<void> {
  const link = db.updateTable(`watchfloor.${kind}`).set({ secret: null });
  await link.where("user_id", "=", user).execute();
}

/** Invalidates all links of users. */
export async function deleteLinksOf(
  db: Db,
  kind: LinkKind,
  users: readonly string[],
): Promise<void> {
  if (users.length === 0) return;
  await db.deleteFrom(`watchfloor.${kind}`).where("user_id", "=", anyOf(users)).execute();
}

/** Uses up a link to reset a password; false if somebody was faster. */
export function claimReset(db: Db, id: string): Promise<boolean> {
  return wrote(db.deleteFrom("watchfloor.password_reset").where("id", "=", id));
}

/** Housekeeping: expired links are refused anyhow. */
export async function deleteOldResets(db: Db, maxAgeMs: number): Promise<void> {
  await db
    .deleteFrom("watchfloor.password_reset")
    .where("created_at", "<", ago(maxAgeMs))
    .execute();
}

/** Whose invitation it is, of those who have not accepted; uses it up. */
export function deleteInvitation(db: Db, id: string, user: string): Promise<boolean> {
  const links = db.deleteFrom("watchfloor.invitation").where("id", "=", id);
  return wrote(links.where("user_id", "=", user));
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
  const invited = tx.selectFrom("watchfloor.invitation").select("user_id").where("id", "=", id);
  await tx.selectFrom("watchfloor.user").where("id", "in", invited).forNoKeyUpdate().execute();
  const used = await firstOf(
    tx.deleteFrom("watchfloor.invitation").where("id", "=", id).returning("user_id"),
  );
  if (!used) return false;
  const user = tx.updateTable("watchfloor.user").where("id", "=", used.user_id);
  const { passwordHash: password_hash, name } = set;
  const changes = { status: "active", password_hash, ...(name !== null && { name }) } as const;
  return wrote(user.set(changes).where("status", "=", "invited"));
}
