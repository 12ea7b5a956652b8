import { deepEqual } from "../../../shared/document/deep-equal.ts";
import type { Json } from "../../../shared/filter/filter.ts";
import { migrateRowFilter } from "../../../shared/model/migrate-filter.ts";
import { fieldAfter, tablePair } from "../../../shared/model/names-after.ts";
import { migrateView } from "../../../shared/model/view/migrate-view.ts";
import { viewSettingsSchema } from "../../../shared/model/view/view.ts";
import {
  migrateScopes,
  migrateWallboard,
} from "../../../shared/model/wallboard/migrate-wallboard.ts";
import {
  wallboardDocumentSchema,
  wallboardScopesSchema,
} from "../../../shared/model/wallboard/wallboard.ts";
import { migrateGrants } from "../../../shared/policy/migrate-grants.ts";
import type { Role } from "../../../shared/policy/role.ts";
import { roleSchema } from "../../../shared/policy/role-schema.ts";
import type { Db } from "../database.ts";
import { now } from "../statement.ts";
import { holdWallboards } from "../tiles/wallboards.ts";
import { holdViews } from "../views/views.ts";
import { holdWebhooks } from "../webhooks/webhooks.ts";
import type { Change, NameChange } from "./step-statements.ts";

/*
 * What is stored beside the model and names its tables and fields: webhooks, roles, wallboards and views. Each is migrated to the next
 * model in the transaction that publishes it, so that no name ever means something else, not even for a moment: a role, a display or a
 * webhook must not show under one name what was hidden under another.
 */

/**
 * Migrates every webhook to the next model, in its transaction: it sends the same fields of the same records. Those of
 * a removed table are removed.
 */
export async function migrateWebhooks(trx: Db, { from, to }: Change): Promise<void> {
  await holdWebhooks(trx);
  const webhooks = trx.selectFrom("watchfloor.webhook");
  const rows = await webhooks
    .select(["id", "table_name", "filter", "fields"])
    .orderBy("id")
    .execute();
  for (const { id, table_name, filter, fields } of rows) {
    const found = tablePair(table_name, from, to);
    if (!found) {
      await trx.deleteFrom("watchfloor.webhook").where("id", "=", id).execute();
      continue;
    }
    const { before, after } = found;
    const left = fields?.flatMap((name) => fieldAfter(name, before, after) ?? []);
    const next = {
      table_name: after.name,
      filter: filter && JSON.stringify(migrateRowFilter(filter, before, after)),
      fields: left ? JSON.stringify(left) : null,
    };
    await trx.updateTable("watchfloor.webhook").set(next).where("id", "=", id).execute();
  }
}

/**
 * Migrates the grants of every declared role to the next model, in its transaction: what a role may not see
 * must never appear under another name. An unreadable role grants nothing and is unchanged.
 */
export async function migrateRoles(trx: Db, { from, to }: NameChange): Promise<void> {
  const roles = trx.selectFrom("watchfloor.role").select(["id", "name", "rights", "grants"]);
  const rows = await roles.orderBy("id").forNoKeyUpdate().execute();
  for (const { id, name, rights, grants } of rows) {
    const read = roleSchema.safeParse({ name, rights, grants });
    if (!read.success) continue;
    const migrated = JSON.stringify(migrateGrants(read.data.grants as Role["grants"], from, to));
    if (migrated === JSON.stringify(read.data.grants)) continue;
    const role = trx.updateTable("watchfloor.role").where("id", "=", id);
    await role.set({ grants: migrated, updated_at: now }).execute();
  }
}

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

/**
 * Migrates every view to the next model, in its transaction; those of a removed table are removed. An
 * unreadable view is unchanged. Until the transaction ends nobody writes a view by the old model.
 */
export async function migrateViews(trx: Db, { from, to }: Change): Promise<void> {
  await holdViews(trx);
  const views = trx.selectFrom("watchfloor.view").select(["id", "table_name", "look"]);
  const rows = await views.orderBy("id").forNoKeyUpdate().execute();
  const view = (id: string) => trx.updateTable("watchfloor.view").where("id", "=", id);
  const changed = rows.filter(
    ({ table_name }) => tablePair(table_name, from, to)?.after.name !== table_name,
  );
  for (const { id, table_name } of changed) {
    // Two tables may swap names and have views of the same name, so each gets a name that no table has.
    if (tablePair(table_name, from, to)) {
      await view(id)
        .set({ table_name: `watchfloor renames ${id}` })
        .execute();
    } else await trx.deleteFrom("watchfloor.view").where("id", "=", id).execute();
  }
  for (const { id, table_name, look } of rows) {
    const found = tablePair(table_name, from, to);
    if (!found) continue;
    const { before, after } = found;
    const read = viewSettingsSchema.safeParse(look);
    const migrated = read.success ? migrateView(read.data, before, after) : look;
    if (after.name === table_name && deepEqual(migrated, read.data)) continue;
    const next = { table_name: after.name, look: JSON.stringify(migrated) };
    await view(id).set(next).execute();
  }
}
