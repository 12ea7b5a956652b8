import { type Insertable, sql } from "kysely";
import type { Db } from "../database.ts";
import type { PlatformTables, RowOf } from "../platform-tables.ts";
import { ago, countOf, now, rowCount, rowOf, rowsOf, rowsWritten, wrote } from "../statement.ts";
import type { RoleRow } from "./roles.ts";
import { type ActiveUserRow, userWithRole } from "./sessions.ts";

/** Table watchfloor.api_token. A token is known by its hash; a revoked one stays, as the author of its changes. */

/** A valid token with its active creator and the roles of both, read in one statement. */
export interface UsableTokenRow extends ActiveUserRow {
  token: string;
  token_name: string;
  /** Null: the role of its creator. */
  token_role: string | null;
  token_declared: RoleRow | null;
  /** Grows with every change of the rights of the token or its role. */
  token_rights: string;
  /** ISO 8601; null if it does not expire. */
  expires: string | null;
}

/** A token as lists show it. */
export interface ApiTokenRow
  extends RowOf<
    "watchfloor.api_token",
    "id" | "name" | "prefix" | "created_by" | "role" | "created_at" | "expires_at" | "last_used"
  > {
  /** Null if there is no such user any more. */
  creator_name: string | null;
  creator_active: boolean;
  /** Until its creator signs in again. */
  is_paused: boolean;
  declared: RoleRow | null;
  is_expired: boolean;
}

/**
 * Whether the tokens of user `u` pause: they sign in by a provider, and have not for this long. No provider reports that an account there
 * has ended; its user just never comes again.
 */
const isPaused = sql`(u.last_seen < now() - interval '30 days'
  and exists (select from watchfloor.linked_account l where l.user_id = u.id))`;

const declared = (alias: string) =>
  sql.raw(`case when ${alias}.id is not null then jsonb_build_object(
    'id', ${alias}.id, 'name', ${alias}.name, 'rights', ${alias}.rights, 'grants', ${alias}.grants) end`);

/** By hash or by id; null if it is revoked or expired, does not exist, or its creator is not active. */
export function findUsableToken(
  db: Db,
  { hash, id }: { hash?: string; id?: string },
): Promise<UsableTokenRow | null> {
  return rowOf<UsableTokenRow>(db)`
    select t.id as token, t.name as token_name, t.role as token_role, t.expires_at as expires,
      ${declared("o")} as token_declared,
      concat(t.role, ' ', t.rights_version, ' ', o.rights_version) as token_rights, ${userWithRole}
    from watchfloor.api_token t join watchfloor."user" u on u.id = t.created_by
      left join watchfloor.role r on r.id = u.role
      left join watchfloor.role o on o.id = t.role
    where ${hash === undefined ? sql`t.id = ${id ?? null}` : sql`t.hash = ${hash}`}
      and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
      and u.status = 'active' and not coalesce(${isPaused}, false)`;
}

const listed = sql`select t.id, t.name, t.prefix, t.created_by, u.name as creator_name,
    coalesce(u.status = 'active', false) as creator_active,
    coalesce(${isPaused}, false) as is_paused, t.role, ${declared("o")} as declared,
    t.created_at, t.expires_at, coalesce(t.expires_at <= now(), false) as is_expired, t.last_used
  from watchfloor.api_token t left join watchfloor."user" u on u.id = t.created_by
    left join watchfloor.role o on o.id = t.role`;

/** Those that are not revoked, of one user or of all, newest first. */
export function listApiTokens(db: Db, createdBy: string | null): Promise<ApiTokenRow[]> {
  return rowsOf<ApiTokenRow>(db)`${listed}
    where t.revoked_at is null and (${createdBy}::text is null or t.created_by = ${createdBy})
    order by t.created_at desc, t.id`;
}

/** Null if there is none, or it is revoked. */
export function findApiToken(db: Db, id: string): Promise<ApiTokenRow | null> {
  return rowOf<ApiTokenRow>(db)`${listed}
    where t.id = ${id} and t.revoked_at is null`;
}

export async function insertApiToken(
  db: Db,
  token: Omit<Insertable<PlatformTables["watchfloor.api_token"]>, "created_at">,
): Promise<void> {
  await db.insertInto("watchfloor.api_token").values(token).execute();
}

/** How many tokens a user has that are not revoked. */
export async function countApiTokens(db: Db, createdBy: string): Promise<number> {
  const tokens = db.selectFrom("watchfloor.api_token").where("created_by", "=", createdBy);
  return countOf(tokens.where("revoked_at", "is", null).select(rowCount));
}

const validTokens = (db: Db) =>
  db.updateTable("watchfloor.api_token").where("revoked_at", "is", null);

/** False if it is revoked. */
export function renameApiToken(db: Db, id: string, name: string): Promise<boolean> {
  return wrote(validTokens(db).where("id", "=", id).set({ name }));
}

/** False if it was revoked before. */
export function revokeApiToken(db: Db, id: string): Promise<boolean> {
  return wrote(validTokens(db).where("id", "=", id).set({ revoked_at: now }));
}

/** All of a user's; returns how many. */
export function revokeApiTokensOf(db: Db, createdBy: string): Promise<number> {
  return rowsWritten(validTokens(db).where("created_by", "=", createdBy).set({ revoked_at: now }));
}

/** Records that a token is in use, at most once in the interval. */
export async function touchApiToken(db: Db, id: string, intervalMs: number): Promise<void> {
  const token = db.updateTable("watchfloor.api_token").where("id", "=", id).set({ last_used: now });
  const isOld = sql<boolean>`(last_used is null or last_used < ${ago(intervalMs)})`;
  await token.where(isOld).execute();
}
