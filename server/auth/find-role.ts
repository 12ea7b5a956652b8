import { builtInRoles, type Role } from "../../shared/policy/role.ts";
import { roleSchema } from "../../shared/policy/role-schema.ts";
import type { Db } from "../store/database.ts";
import { holdRole, type RoleRow } from "../store/users/roles.ts";

/** A built-in role by its id. */
export function builtInRole(id: string): Role | undefined {
  return builtInRoles.find((role) => role.id === id);
}

/** A role by its id; a declared one is locked until the transaction ends. */
export async function findRole(db: Db, id: string): Promise<Role | null> {
  const builtIn = builtInRole(id);
  if (builtIn) return builtIn;
  const row = await holdRole(db, id);
  return row && readRole(row);
}

/** A stored role. One that can't be parsed, because another program wrote it, grants nothing. */
export function readRole(row: RoleRow): Role {
  const parsed = roleSchema.safeParse({ name: row.name, rights: row.rights, grants: row.grants });
  return parsed.success
    ? { id: row.id, ...parsed.data }
    : { id: row.id, name: row.name, rights: [], grants: {} };
}

/** The role of a user. A missing role grants nothing: the user is signed in and sees nothing. */
export function roleOrNoRights(id: string, declared: RoleRow | null): Role {
  return (
    builtInRole(id) ?? (declared ? readRole(declared) : { id, name: id, rights: [], grants: {} })
  );
}
