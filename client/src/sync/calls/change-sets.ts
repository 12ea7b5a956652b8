import type {
  ApplyAnswer,
  ApplyChangeSetCall,
  ChangeSetInfo,
  ChangeSetPreview,
  CreateChangeSetCall,
  PatchChangeSetCall,
  PreviewStatus,
} from "../../../../shared/protocol/change-sets.ts";
import { rest } from "../../transport/rest.ts";

/** Everything that the screens of change sets ask of the server. */
export const changeSetApi = {
  read: (id: string): Promise<ChangeSetInfo> => rest("GET /change-sets/{id}", { params: { id } }),
  preview: readPreview,
  change: (id: string, body: PatchChangeSetCall): Promise<ChangeSetInfo> =>
    rest("PATCH /change-sets/{id}", { params: { id }, body }),
  apply: (id: string, body: ApplyChangeSetCall): Promise<ApplyAnswer> =>
    rest("POST /change-sets/{id}/apply", { params: { id }, body }),
  cancel: (id: string): Promise<ChangeSetInfo> =>
    rest("POST /change-sets/{id}/cancel", { params: { id } }),
  revert: (id: string): Promise<ChangeSetInfo> =>
    rest("POST /change-sets/{id}/revert", { params: { id } }),
  remove: (id: string): Promise<void> => rest("DELETE /change-sets/{id}", { params: { id } }),
};

/** Creates a draft: of ops, of one edit to many records, or to revert changes. */
export function createChangeSet(body: CreateChangeSetCall): Promise<ChangeSetInfo> {
  return rest("POST /change-sets", { body });
}

/** The newest sets that I may see; those of one user if `by` names one. */
export async function listChangeSets(by?: string): Promise<ChangeSetInfo[]> {
  const { items } = await rest("GET /change-sets", { query: { by } });
  return items;
}

function readPreview(
  id: string,
  page: { status: PreviewStatus | null; offset: number; limit: number },
): Promise<ChangeSetPreview> {
  const query = { ...page, status: page.status ?? undefined };
  return rest("GET /change-sets/{id}/preview", { params: { id }, query });
}
