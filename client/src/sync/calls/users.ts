import type { PasswordResetLink } from "../../../../shared/protocol/password.ts";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import type { CreateUserCall } from "../../../../shared/protocol/session.ts";
import type {
  CreatedUser,
  InvitationLink,
  PatchUserCall,
  UserInfo,
} from "../../../../shared/protocol/users.ts";
import { rest } from "../../transport/rest.ts";

interface List<T> {
  items: T[];
  total: number;
}

/** Everybody who may sign in, by name. */
export async function listUsers(): Promise<UserInfo[]> {
  const { items } = await rest<List<UserInfo>>("GET", "/users");
  return items.sort((a, b) => a.name.localeCompare(b.name));
}

/** The roles that there are. */
export async function listRoles(): Promise<RoleInfo[]> {
  return (await rest<List<RoleInfo>>("GET", "/roles")).items;
}

/** Adds a user; without a password the answer holds an invitation link. */
export function addUser(call: CreateUserCall): Promise<CreatedUser> {
  return rest<CreatedUser>("POST", "/users", call);
}

/** Changes a user; what is absent stays. */
export function changeUser(id: string, change: PatchUserCall): Promise<UserInfo> {
  return rest<UserInfo>("PATCH", `/users/${encodeURIComponent(id)}`, change);
}

const pathOf = (id: string) => `/users/${encodeURIComponent(id)}`;

/** Removes a user; what they did stays in the history. */
export function removeUser(id: string): Promise<void> {
  return rest<void>("DELETE", pathOf(id));
}

/** Signs somebody out everywhere; answers how many sessions that ended. */
export async function endSessionsOf(id: string): Promise<number> {
  return (await rest<{ ended: number }>("DELETE", `${pathOf(id)}/sessions`)).ended;
}

/** A link by which somebody chooses a new password, once. */
export function makeResetLink(id: string): Promise<PasswordResetLink> {
  return rest<PasswordResetLink>("POST", `${pathOf(id)}/password-reset`);
}

/** Another invitation for somebody who lost theirs; the one before stops working. */
export function makeInvitation(id: string): Promise<InvitationLink> {
  return rest<InvitationLink>("POST", `${pathOf(id)}/invitation`);
}

/** Takes away all second factors of somebody who lost them. */
export function removeFactorsOf(id: string): Promise<void> {
  return rest<void>("DELETE", `${pathOf(id)}/factors`);
}
