import { sql } from "kysely";
import type { Json } from "../../../shared/filter/filter.ts";
import type { Db } from "../database.ts";

/**
 * Table watchfloor.role: declared roles. Assigning a role to a user locks it by `holdRole` in the same
 * transaction, so that it can't be deleted meanwhile.
 */

/** As it is stored: another program may have written anything. */
export interface RoleRow {
  id: string;
  name: string;
  rights: Json;
  grants: Json;
}

const columns = sql.raw("id, name, rights, grants");

/** By name. */
export async function listRoles(db: Db): Promise<RoleRow[]> {
  const { rows } = await sql<RoleRow>`
    select ${columns} from watchfloor.role order by lower(name), id`.execute(db);
  return rows;
}

/** The current role; null if there is none. */
export async function findStoredRole(db: Db, id: string): Promise<RoleRow | null> {
  const { rows } = await sql<RoleRow>`
    select ${columns} from watchfloor.role where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** The role, locked until the transaction ends. */
export async function holdRole(db: Db, id: string): Promise<RoleRow | null> {
  const { rows } = await sql<RoleRow>`
    select ${columns} from watchfloor.role where id = ${id} for key share`.execute(db);
  return rows[0] ?? null;
}

/** The role, locked for a change: two changes run one after the other. */
export async function lockRole(db: Db, id: string): Promise<RoleRow | null> {
  const { rows } = await sql<RoleRow>`
    select ${columns} from watchfloor.role where id = ${id} for no key update`.execute(db);
  return rows[0] ?? null;
}

/** The users of the role; locked until the transaction ends. */
export async function holdUsersOf(tx: Db, role: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from watchfloor."user"
    where role = ${role} order by id for no key update`.execute(tx);
  return rows.map(({ id }) => id);
}

/** False if another role has the name. */
export async function insertRole(db: Db, role: RoleRow): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into watchfloor.role (id, name, rights, grants)
    values (${role.id}, ${role.name}, ${JSON.stringify(role.rights)}::jsonb,
      ${JSON.stringify(role.grants)}::jsonb)
    on conflict do nothing`.execute(db);
  return numAffectedRows === 1n;
}

/** False if another role has the name. */
export async function updateRole(db: Db, role: RoleRow): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update watchfloor.role r set name = ${role.name}, rights = ${JSON.stringify(role.rights)}::jsonb,
      grants = ${JSON.stringify(role.grants)}::jsonb, updated_at = now()
    where id = ${role.id} and not exists (
      select from watchfloor.role o where lower(o.name) = lower(${role.name}) and o.id <> r.id)`.execute(
    db,
  );
  return numAffectedRows === 1n;
}

/** Deletes the role and returns how many users and API tokens have it: if there are any, roll back. */
export async function deleteRole(db: Db, id: string): Promise<{ users: number; tokens: number }> {
  await sql`delete from watchfloor.role where id = ${id}`.execute(db);
  const { rows } = await sql<{ users: number; tokens: number }>`
    select (select count(*)::int from watchfloor."user" where role = ${id}) as users,
      (select count(*)::int from watchfloor.api_token where role = ${id} and revoked_at is null)
        as tokens`.execute(db);
  return rows[0] ?? { users: 0, tokens: 0 };
}

/** How many users have each role, including built-in ones. */
export async function countUsersByRole(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ role: string; users: number }>`
    select role, count(*)::int as users from watchfloor."user" group by role`.execute(db);
  return new Map(rows.map(({ role, users }) => [role, users]));
}
