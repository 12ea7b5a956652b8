import { sql } from "kysely";
import type { Db } from "../database.ts";
import type { RowOf } from "../platform-tables.ts";
import { countOf, firstOf, folded, now, rowCount, wrote } from "../statement.ts";

/**
 * Table watchfloor.role: declared roles. Assigning a role to a user locks it by `holdRole` in the same
 * transaction, so that it can't be deleted meanwhile.
 */

/** As it is stored: another program may have written anything. */
export type RoleRow = RowOf<"watchfloor.role", "id" | "name" | "rights" | "grants">;

const roles = (db: Db) =>
  db.selectFrom("watchfloor.role").select(["id", "name", "rights", "grants"]);

/** By name. */
export function listRoles(db: Db): Promise<RoleRow[]> {
  return roles(db).orderBy(folded("name")).orderBy("id").execute();
}

/** The current role; null if there is none. */
export function findStoredRole(db: Db, id: string): Promise<RoleRow | null> {
  return firstOf(roles(db).where("id", "=", id));
}

/** The role, locked until the transaction ends. */
export function holdRole(db: Db, id: string): Promise<RoleRow | null> {
  return firstOf(roles(db).where("id", "=", id).forKeyShare());
}

/** The role, locked for a change: two changes run one after the other. */
export function lockRole(db: Db, id: string): Promise<RoleRow | null> {
  return firstOf(roles(db).where("id", "=", id).forNoKeyUpdate());
}

/** The users of the role; locked until the transaction ends. */
export async function holdUsersOf(tx: Db, role: string): Promise<string[]> {
  const users = tx.selectFrom("watchfloor.user").select("id").where("role", "=", role);
  return (await users.orderBy("id").forNoKeyUpdate().execute()).map(({ id }) => id);
}

const written = ({ id, name, rights, grants }: RoleRow) => {
  return { id, name, rights: JSON.stringify(rights), grants: JSON.stringify(grants) };
};

/** False if another role has the name. */
export function insertRole(db: Db, role: RoleRow): Promise<boolean> {
  const insert = db.insertInto("watchfloor.role").values(written(role));
  return wrote(insert.onConflict((conflict) => conflict.doNothing()));
}

/** False if another role has the name. */
export function updateRole(db: Db, role: RoleRow): Promise<boolean> {
  const others = db.selectFrom("watchfloor.role as o").where("o.id", "<>", role.id);
  const isTaken = others.where(folded("o.name"), "=", sql<string>`lower(${role.name})`);
  const update = db.updateTable("watchfloor.role").set({ ...written(role), updated_at: now });
  return wrote(update.where("id", "=", role.id).where(({ not, exists }) => not(exists(isTaken))));
}

/** Deletes the role and returns how many users, API tokens and displays have it: if there are any, roll back. */
export async function deleteRole(
  db: Db,
  id: string,
): Promise<{ users: number; tokens: number; displays: number }> {
  await db.deleteFrom("watchfloor.role").where("id", "=", id).execute();
  const users = db.selectFrom("watchfloor.user").where("role", "=", id).select(rowCount);
  const displays = db.selectFrom("watchfloor.display").where("revoked_at", "is", null);
  const tokens = db.selectFrom("watchfloor.api_token").where("role", "=", id).select(rowCount);
  return {
    users: await countOf(users),
    tokens: await countOf(tokens.where("revoked_at", "is", null)),
    displays: await countOf(displays.where("role", "=", id).select(rowCount)),
  };
}

/** How many users have each role, including built-in ones. */
export async function countUsersByRole(db: Db): Promise<Map<string, number>> {
  const users = db.selectFrom("watchfloor.user").select(["role", rowCount]).groupBy("role");
  return new Map((await users.execute()).map(({ role, count }) => [role, count]));
}
