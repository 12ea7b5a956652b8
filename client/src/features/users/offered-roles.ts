import type { UserInfo } from "../../../../shared/protocol/users.ts";

/** The roles to choose from: `owner` only for an owner, never `display`, and always the user's current role. */
export function rolesFor<Role extends { id: string }>(
  me: { role: string },
  roles: readonly Role[],
  current?: string | undefined,
): Role[] {
  const offered = (role: Role) =>
    role.id === current || (role.id !== "display" && (role.id !== "owner" || me.role === "owner"));
  return roles.filter(offered);
}

/** Whether I may change a user: only an owner may change an owner. */
export function mayChange(me: { role: string }, user: Pick<UserInfo, "role">): boolean {
  return user.role !== "owner" || me.role === "owner";
}
