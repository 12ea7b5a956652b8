import { deepEqual } from "../../../shared/document/deep-equal.ts";
import type { Json } from "../../../shared/filter/filter.ts";
import {
  migrateScopes,
  migrateWallboard,
} from "../../../shared/model/wallboard/migrate-wallboard.ts";
import {
  wallboardDocumentSchema,
  wallboardScopesSchema,
} from "../../../shared/model/wallboard/wallboard.ts";
import type { Db } from "../database.ts";
import { execute, rowsOf } from "../statement.ts";
import { holdWallboards } from "../tiles/wallboards.ts";
import type { NameChange } from "./step-statements.ts";

interface StoredWallboard {
  id: string;
  draft: Json;
  published: Json;
  scopes: Json;
}

/**
 * Migrates every wallboard to the next model, in its transaction: what a display may not see must never
 * appear under the name of something that it may. An unreadable wallboard is unchanged. Until the transaction ends nobody
 * writes a wallboard by the old model.
 */
export async function migrateWallboards(trx: Db, { from, to }: NameChange): Promise<void> {
  await holdWallboards(trx);
  const rows = await rowsOf<StoredWallboard>(trx)`
    select id, draft, published, scopes from watchfloor.wallboard order by id
    for no key update`;
  const migrated = (document: Json): Json => {
    const read = wallboardDocumentSchema.safeParse(document);
    return read.success ? (migrateWallboard(read.data, from, to) as unknown as Json) : document;
  };
  for (const { id, draft, published, scopes } of rows) {
    const read = wallboardScopesSchema.safeParse(scopes);
    const now = [
      migrated(draft),
      published && migrated(published),
      read.success ? (migrateScopes(read.data, from, to) as unknown as Json) : scopes,
    ];
    if (deepEqual(now, [draft, published, scopes])) continue;
    const [newDraft, newPublished, newScopes] = now.map((part) =>
      part === null ? null : JSON.stringify(part),
    );
    await execute(
      trx,
    )`update watchfloor.wallboard set draft = ${newDraft}::jsonb, published = ${newPublished}::jsonb,
      scopes = ${newScopes}::jsonb where id = ${id}`;
  }
}
