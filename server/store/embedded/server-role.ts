import { createHmac } from "node:crypto";
import type { Client } from "pg";
import { connectToOwn } from "./own-cluster.ts";

/**
 * The role that everything except this file uses: an ordinary one that owns the database and all in it,
 * without the rights of a superuser (reading files, running programs, loading code). The superuser creates it
 * at the first start; the owner of the database changes last, and so marks completion.
 */
export const serverUser = "watchfloor_server";

/** Invalid password, or no such role; no such database. */
const notPrepared: ReadonlySet<string> = new Set(["28P01", "28000", "3D000"]);

/** Derived from the superuser's password, and not the other way round. */
export function serverPassword(superuserPassword: string): string {
  return createHmac("sha256", superuserPassword).update(serverUser).digest("hex");
}

/** Whether the role of this URL may sign in and owns the database. */
export async function isPrepared(url: string): Promise<boolean> {
  const client = await connectToOwn(url).catch((error: { code?: string }) => {
    if (notPrepared.has(error.code ?? "")) return null;
    throw error;
  });
  if (!client) return false;
  try {
    const { rows } = await client.query<{ owns: boolean }>(`
      select pg_get_userbyid(datdba) = current_user as owns
      from pg_database where datname = current_database()`);
    return rows[0]?.owns === true;
  } finally {
    await client.end();
  }
}

/** Creates the role and gives it the database, by a connection of the superuser. Safe to repeat. */
export async function prepareServerRole(superuser: Client, password: string): Promise<void> {
  await superuser.query("set search_path = pg_catalog");
  const { rows } = await superuser.query("select from pg_roles where rolname = $1", [serverUser]);
  if (rows.length === 0) await superuser.query(`create role ${serverUser}`);
  await superuser.query(
    `alter role ${serverUser} login password ${superuser.escapeLiteral(password)}`,
  );
  const database = superuser.escapeIdentifier(superuser.database ?? "");
  await superuser.query(`alter database ${database} owner to ${serverUser}`);
}
