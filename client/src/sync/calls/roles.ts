import type {
  CreateRoleCall,
  PatchRoleCall,
  PreviewRoleCall,
  RoleInfo,
  RolePreview,
} from "../../../../shared/protocol/roles.ts";
import { rest } from "../../transport/rest.ts";

const pathOf = (id: string) => `/roles/${encodeURIComponent(id)}`;

/** Adds a role. */
export function addRole(call: CreateRoleCall): Promise<RoleInfo> {
  return rest<RoleInfo>("POST", "/roles", call);
}

/** Changes a role; with a `base`, what others changed meanwhile stays, or a `conflict` is thrown. */
export function changeRole(id: string, change: PatchRoleCall): Promise<RoleInfo> {
  return rest<RoleInfo>("PATCH", pathOf(id), change);
}

/** Removes a role that nobody has. */
export function removeRole(id: string): Promise<void> {
  return rest<void>("DELETE", pathOf(id));
}

/** What a person would see of a table under grants that are not stored. */
export function previewRole(call: PreviewRoleCall): Promise<RolePreview> {
  return rest<RolePreview>("POST", "/roles/preview", call);
}
