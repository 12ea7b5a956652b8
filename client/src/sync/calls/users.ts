import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import type { UserInfo } from "../../../../shared/protocol/users.ts";
import { rest } from "../../transport/rest/rest.ts";

/** Everybody who may sign in, by name. */
export async function listUsers(): Promise<UserInfo[]> {
  const { items } = await rest("GET /users");
  return items.sort((a, b) => a.name.localeCompare(b.name));
}

/** The roles that there are. */
export async function listRoles(): Promise<RoleInfo[]> {
  return (await rest("GET /roles")).items;
}
