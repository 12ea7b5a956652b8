import { migrateRowFilter } from "../../../shared/model/migrate-filter.ts";
import { fieldAfter, tablePair } from "../../../shared/model/names-after.ts";
import type { Db } from "../database.ts";
import { holdWebhooks } from "../webhooks/webhooks.ts";
import type { Change } from "./step-statements.ts";

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
