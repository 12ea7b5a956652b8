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

/** Everybody who may sign in, by name. */
export async function listUsers(): Promise<UserInfo[]> {
  const { items } = await rest("GET /users");
  return items.sort((a, b) => a.name.localeCompare(b.name));
}

/** The roles that there are. */
export async function listRoles(): Promise<RoleInfo[]> {
  return (await rest("GET /roles")).items;
}

/** Adds a user; without a password the answer holds an invitation link. */
export function addUser(body: CreateUserCall): Promise<CreatedUser> {
  return rest("POST /users", { body });
}

/** Changes a user; what is absent stays. */
export function changeUser(id: string, body: PatchUserCall): Promise<UserInfo> {
  return rest("PATCH /users/{id}", { params: { id }, body });
}

/** Removes a user; what they did stays in the history. */
export function removeUser(id: string): Promise<void> {
  return rest("DELETE /users/{id}", { params: { id } });
}

/** Signs somebody out everywhere; answers how many sessions that ended. */
export async function endSessionsOf(id: string): Promise<number> {
  return (await rest("DELETE /users/{id}/sessions", { params: { id } })).ended;
}

/** A link by which somebody chooses a new password, once. */
export function makeResetLink(id: string): Promise<PasswordResetLink> {
  return rest("POST /users/{id}/password-reset", { params: { id } });
}

/** Another invitation for somebody who lost theirs; the one before stops working. */
export function makeInvitation(id: string): Promise<InvitationLink> {
  return rest("POST /users/{id}/invitation", { params: { id } });
}

/** Takes away all second factors of somebody who lost them. */
export function removeFactorsOf(id: string): Promise<void> {
  return rest("DELETE /users/{id}/factors", { params: { id } });
}
