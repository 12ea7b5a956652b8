import type { DraftImport, DraftImportOptions } from "../../../../shared/protocol/imports.ts";
import { rest } from "../../transport/rest/rest.ts";
import { type FileUpload, sendFile, UploadAborted } from "../../transport/send-file.ts";

export type ImportQuery = Partial<DraftImportOptions> & { table: string };

/**
 * Imports a file into a draft of its own, and returns its id. Where that fails, the draft is deleted; null if the caller has ended
 * it.
 */
export async function importFile(
  title: string,
  query: ImportQuery,
  upload: FileUpload,
): Promise<string | null> {
  const { id } = await rest("POST /change-sets", { body: { title } });
  try {
    await send(id, query, upload);
    return id;
  } catch (error) {
    await rest("DELETE /change-sets/{id}", { params: { id } }).catch(() => {});
    if (error instanceof UploadAborted) return null;
    throw error;
  }
}

function send(id: string, query: ImportQuery, upload: FileUpload): Promise<DraftImport> {
  return sendFile("POST /change-sets/{id}/import", { params: { id }, query }, upload);
}
