import { builtInRoles, type Role } from "../../shared/policy/role.ts";
import { roleSchema } from "../../shared/policy/role-schema.ts";
import type { Db } from "../store/database.ts";
import { holdRole, type RoleRow } from "../store/users/roles.ts";

/** A built-in role by its id. */
export function builtInRole(id: string): Role | undefined {
  return builtInRoles.find((role) => role.id === id);
}

/** A role by its id; one of the customer's stays until the transaction ends. */
export async function findRole(db: Db, id: string): Promise<Role | null> {
  const builtIn = builtInRole(id);
  if (builtIn) return builtIn;
  const row = await holdRole(db, id);
  return row && readRole(row);
}

/** A stored role. What another program has written into it and can't be read grants nothing. */
export function readRole(row: RoleRow): Role {
  const parsed = roleSchema.safeParse({ name: row.name, rights: row.rights, grants: row.grants });
  return parsed.success
    ? { id: row.id, ...parsed.data }
    : { id: row.id, name: row.name, rights: [], grants: {} };
}

/**
 * The role of a person, whatever their record says. A role that is not there grants nothing: the
 * person is let in and sees nothing.
 */
export function roleOrNoRights(id: string, declared: RoleRow | null): Role {
  return (
    builtInRole(id) ?? (declared ? readRole(declared) : { id, name: id, rights: [], grants: {} })
  );
}
