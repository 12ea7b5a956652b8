import { deepEqual } from "../../../shared/document/deep-equal.ts";
import type { Json } from "../../../shared/filter/filter.ts";
import { tablePair } from "../../../shared/model/names-after.ts";
import { migrateView } from "../../../shared/model/view/migrate-view.ts";
import { viewSettingsSchema } from "../../../shared/model/view/view.ts";
import type { Db } from "../database.ts";
import { execute, rowsOf } from "../statement.ts";
import { holdViews } from "../views/views.ts";
import type { Change } from "./step-statements.ts";

/**
 * Migrates every view to the next model, in its transaction; those of a removed table are removed. An
 * unreadable view is unchanged. Until the transaction ends nobody writes a view by the old model.
 */
export async function migrateViews(trx: Db, { from, to }: Change): Promise<void> {
  await holdViews(trx);
  const rows = await rowsOf<{ id: string; table_name: string; look: Json }>(trx)`
    select id, table_name, look from watchfloor.view order by id for no key update`;
  const changed = rows.filter(
    ({ table_name }) => tablePair(table_name, from, to)?.after.name !== table_name,
  );
  for (const { id, table_name } of changed) {
    // Two tables may swap names and have views of the same name, so each gets a name that no table has.
    if (tablePair(table_name, from, to)) {
      await execute(trx)`update watchfloor.view set table_name = ${`watchfloor renames ${id}`}
        where id = ${id}`;
    } else await execute(trx)`delete from watchfloor.view where id = ${id}`;
  }
  for (const { id, table_name, look } of rows) {
    const found = tablePair(table_name, from, to);
    if (!found) continue;
    const { before, after } = found;
    const read = viewSettingsSchema.safeParse(look);
    const migrated = read.success ? migrateView(read.data, before, after) : look;
    if (after.name === table_name && deepEqual(migrated, read.data)) continue;
    await execute(trx)`update watchfloor.view
      set table_name = ${after.name}, look = ${JSON.stringify(migrated)}::jsonb
      where id = ${id}`;
  }
}
