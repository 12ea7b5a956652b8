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
import { holdWallboards } from "../tiles/wallboards.ts";
import type { NameChange } from "./step-statements.ts";

/**
 * Migrates every wallboard to the next model, in its transaction: what a display may not see must never
 * appear under the name of something that it may. An unreadable wallboard is unchanged. Until the transaction ends nobody
 * writes a wallboard by the old model.
 */
export async function migrateWallboards(trx: Db, { from, to }: NameChange): Promise<void> {
  await holdWallboards(trx);
  const wallboards = trx
    .selectFrom("watchfloor.wallboard")
    .select(["id", "draft", "published", "scopes"]);
  const rows = await wallboards.orderBy("id").forNoKeyUpdate().execute();
  const migrated = (document: Json): Json => {
    const read = wallboardDocumentSchema.safeParse(document);
    return read.success ? (migrateWallboard(read.data, from, to) as unknown as Json) : document;
  };
  for (const { id, draft, published, scopes } of rows) {
    const read = wallboardScopesSchema.safeParse(scopes);
    const next = {
      draft: migrated(draft),
      published: published && migrated(published),
      scopes: read.success ? (migrateScopes(read.data, from, to) as unknown as Json) : scopes,
    };
    if (deepEqual(next, { draft, published, scopes })) continue;
    const text = (part: Json) => (part === null ? null : JSON.stringify(part));
    const stored = {
      draft: JSON.stringify(next.draft),
      published: text(next.published),
      scopes: text(next.scopes),
    };
    await trx.updateTable("watchfloor.wallboard").set(stored).where("id", "=", id).execute();
  }
}
