import {
  type WallboardDocument,
  type WallboardScopes,
  wallboardDocumentSchema,
  wallboardScopesSchema,
} from "../../../shared/model/wallboard/wallboard.ts";
import type { WallboardRow } from "../../store/tiles/wallboards.ts";
import { toUserReference } from "../../store/users/user-reference.ts";

/** A wallboard in the server's memory. */
export interface Wallboard {
  id: string;
  version: number;
  draft: WallboardDocument;
  published: {
    version: number;
    at: string;
    by: { id: string; name: string } | null;
    document: WallboardDocument;
    scopes: WallboardScopes;
  } | null;
  updated: { at: string; by: { id: string; name: string } | null };
}

/** A stored wallboard; null if another program has written something unreadable. */
export function readWallboard(row: WallboardRow): Wallboard | null {
  const draft = wallboardDocumentSchema.safeParse(row.draft);
  if (!draft.success) return null;
  const document = wallboardDocumentSchema.safeParse(row.published);
  const scopes = wallboardScopesSchema.safeParse(row.scopes);
  const isPublished = document.success && scopes.success && row.published_version !== null;
  return {
    id: row.id,
    version: row.version,
    draft: draft.data,
    published: isPublished
      ? {
          version: row.published_version ?? 0,
          at: row.published_at ?? row.updated_at,
          by: toUserReference(row.published_by, row.publisher),
          document: document.data,
          scopes: scopes.data,
        }
      : null,
    updated: { at: row.updated_at, by: toUserReference(row.updated_by, row.updater) },
  };
}
