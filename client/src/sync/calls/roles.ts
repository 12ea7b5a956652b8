import type {
  CreateRoleCall,
  PatchRoleCall,
  PreviewRoleCall,
  RoleInfo,
  RolePreview,
} from "../../../../shared/protocol/roles.ts";
import { rest } from "../../transport/rest.ts";

/** Adds a role. */
export function addRole(body: CreateRoleCall): Promise<RoleInfo> {
  return rest("POST /roles", { body });
}

/** Changes a role; with a `base`, what others changed meanwhile stays, or a `conflict` is thrown. */
export function changeRole(id: string, body: PatchRoleCall): Promise<RoleInfo> {
  return rest("PATCH /roles/{id}", { params: { id }, body });
}

/** Removes a role that nobody has. */
export function removeRole(id: string): Promise<void> {
  return rest("DELETE /roles/{id}", { params: { id } });
}

/** What a user would see of a table under grants that are not stored. */
export function previewRole(body: PreviewRoleCall): Promise<RolePreview> {
  return rest("POST /roles/preview", { body });
}
