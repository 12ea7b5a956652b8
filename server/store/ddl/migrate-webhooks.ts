import type { Filter } from "../../../shared/filter/filter.ts";
import { migrateRowFilter } from "../../../shared/model/migrate-filter.ts";
import { fieldAfter, tablePair } from "../../../shared/model/names-after.ts";
import type { Db } from "../database.ts";
import { execute, rowsOf } from "../statement.ts";
import { holdWebhooks } from "../webhooks/webhooks.ts";
import type { Change } from "./step-statements.ts";

interface Row {
  id: string;
  table_name: string;
  filter: Filter | null;
  fields: string[] | null;
}

/**
 * Migrates every webhook to the next model, in its transaction: it sends the same fields of the same records. Those of
 * a removed table are removed.
 */
export async function migrateWebhooks(trx: Db, { from, to }: Change): Promise<void> {
  await holdWebhooks(trx);
  const rows = await rowsOf<Row>(trx)`
    select id, table_name, filter, fields from watchfloor.webhook order by id`;
  for (const { id, table_name, filter, fields } of rows) {
    const found = tablePair(table_name, from, to);
    if (!found) {
      await execute(trx)`delete from watchfloor.webhook where id = ${id}`;
      continue;
    }
    const { before, after } = found;
    const next = {
      filter: filter && migrateRowFilter(filter, before, after),
      fields: fields?.flatMap((name) => fieldAfter(name, before, after) ?? []) ?? null,
    };
    await execute(trx)`update watchfloor.webhook set table_name = ${after.name},
      filter = ${next.filter && JSON.stringify(next.filter)}::jsonb,
      fields = ${next.fields && JSON.stringify(next.fields)}::jsonb
      where id = ${id}`;
  }
}
