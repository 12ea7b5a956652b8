import type { UserInfo } from "../../../../shared/protocol/users.ts";

/** Only an owner makes owners; a display is no person. What a user has is always among the choices. */
export function rolesFor<Role extends { id: string }>(
  me: { role: string },
  roles: readonly Role[],
  current?: string | undefined,
): Role[] {
  const offered = (role: Role) =>
    role.id === current || (role.id !== "display" && (role.id !== "owner" || me.role === "owner"));
  return roles.filter(offered);
}

/** Whether I may change a user at all: nobody but an owner touches an owner. */
export function mayChange(me: { role: string }, user: Pick<UserInfo, "role">): boolean {
  return user.role !== "owner" || me.role === "owner";
}
