import { deepEqual } from "../../../shared/document/deep-equal.ts";
import { tablePair } from "../../../shared/model/names-after.ts";
import { migrateView } from "../../../shared/model/view/migrate-view.ts";
import { viewSettingsSchema } from "../../../shared/model/view/view.ts";
import type { Db } from "../database.ts";
import { holdViews } from "../views/views.ts";
import type { Change } from "./step-statements.ts";

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
