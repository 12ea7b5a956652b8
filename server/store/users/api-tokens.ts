import { sql } from "kysely";
import type { Db } from "../database.ts";
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
export interface ApiTokenRow {
  id: string;
  name: string;
  prefix: string;
  created_by: string;
  /** Null if there is no such user any more. */
  creator_name: string | null;
  creator_active: boolean;
  role: string | null;
  declared: RoleRow | null;
  created_at: string;
  expires_at: string | null;
  is_expired: boolean;
  last_used: string | null;
}

export interface NewApiToken {
  id: string;
  name: string;
  hash: string;
  prefix: string;
  createdBy: string;
  role: string | null;
  expires: string | null;
}

const declared = (alias: string) =>
  sql.raw(`case when ${alias}.id is not null then jsonb_build_object(
    'id', ${alias}.id, 'name', ${alias}.name, 'rights', ${alias}.rights, 'grants', ${alias}.grants) end`);

/** By hash or by id; null if it is revoked or expired, does not exist, or its creator is not active. */
export async function findUsableToken(
  db: Db,
  { hash, id }: { hash?: string; id?: string },
): Promise<UsableTokenRow | null> {
  const { rows } = await sql<UsableTokenRow>`
    select t.id as token, t.name as token_name, t.role as token_role, t.expires_at as expires,
      ${declared("o")} as token_declared,
      concat(t.role, ' ', t.rights_version, ' ', o.rights_version) as token_rights, ${userWithRole}
    from watchfloor.api_token t join watchfloor."user" u on u.id = t.created_by
      left join watchfloor.role r on r.id = u.role
      left join watchfloor.role o on o.id = t.role
    where ${hash === undefined ? sql`t.id = ${id ?? null}` : sql`t.hash = ${hash}`}
      and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
      and u.status = 'active'`.execute(db);
  return rows[0] ?? null;
}

const listed = sql`select t.id, t.name, t.prefix, t.created_by, u.name as creator_name,
    coalesce(u.status = 'active', false) as creator_active, t.role, ${declared("o")} as declared,
    t.created_at, t.expires_at, coalesce(t.expires_at <= now(), false) as is_expired, t.last_used
  from watchfloor.api_token t left join watchfloor."user" u on u.id = t.created_by
    left join watchfloor.role o on o.id = t.role`;

/** Those that are not revoked, of one user or of all, newest first. */
export async function listApiTokens(db: Db, createdBy: string | null): Promise<ApiTokenRow[]> {
  const { rows } = await sql<ApiTokenRow>`${listed}
    where t.revoked_at is null and (${createdBy}::text is null or t.created_by = ${createdBy})
    order by t.created_at desc, t.id`.execute(db);
  return rows;
}

/** Null if there is none, or it is revoked. */
export async function findApiToken(db: Db, id: string): Promise<ApiTokenRow | null> {
  const { rows } = await sql<ApiTokenRow>`${listed}
    where t.id = ${id} and t.revoked_at is null`.execute(db);
  return rows[0] ?? null;
}

export async function insertApiToken(db: Db, token: NewApiToken): Promise<void> {
  await sql`
    insert into watchfloor.api_token (id, name, hash, prefix, created_by, role, expires_at)
    values (${token.id}, ${token.name}, ${token.hash}, ${token.prefix}, ${token.createdBy},
      ${token.role}, ${token.expires}::timestamptz)`.execute(db);
}

/** How many tokens a user has that are not revoked. */
export async function countApiTokens(db: Db, createdBy: string): Promise<number> {
  const { rows } = await sql<{ tokens: number }>`
    select count(*)::int as tokens from watchfloor.api_token
    where created_by = ${createdBy} and revoked_at is null`.execute(db);
  return rows[0]?.tokens ?? 0;
}

/** False if it is revoked. */
export async function renameApiToken(db: Db, id: string, name: string): Promise<boolean> {
  const { numAffectedRows } = await sql`update watchfloor.api_token set name = ${name}
    where id = ${id} and revoked_at is null`.execute(db);
  return numAffectedRows === 1n;
}

/** False if it was revoked before. */
export async function revokeApiToken(db: Db, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`update watchfloor.api_token set revoked_at = now()
    where id = ${id} and revoked_at is null`.execute(db);
  return numAffectedRows === 1n;
}

export async function revokeApiTokensOf(db: Db, createdBy: string): Promise<void> {
  await sql`update watchfloor.api_token set revoked_at = now()
    where created_by = ${createdBy} and revoked_at is null`.execute(db);
}

/** Records that a token is in use, at most once in the interval. */
export async function touchApiToken(db: Db, id: string, intervalMs: number): Promise<void> {
  await sql`update watchfloor.api_token set last_used = now()
    where id = ${id}
      and (last_used is null or last_used < now() - ${intervalMs} * interval '1 millisecond')`.execute(
    db,
  );
}
