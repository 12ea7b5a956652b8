import { sql } from "kysely";
import { findTable, type Model, type Values } from "../../shared/model/model.ts";
import type { Database } from "./database.ts";
import { batchWrites, type RowWrite, writeStatement } from "./write-statements.ts";

/**
 * Puts the records of a template into tables that are still empty, in one transaction, by the author
 * `system:template`. Safe to repeat: a table that holds anything is left as it is.
 */
export async function seedRecords(
  { pool, kysely }: Database,
  model: Model,
  records: readonly { table: string; id: string; values: Values }[],
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query("select set_config('watchfloor.actor', 'system:template', true)");
    const empty = new Set<string>();
    for (const { name } of model.tables) {
      const query = sql`select exists (select from ${sql.id(name)}) as filled`.compile(kysely);
      const found = await client.query(query.sql);
      if (!found.rows[0].filled) empty.add(name);
    }
    const writes = records
      .filter((record) => empty.has(record.table))
      .map((record): RowWrite => {
        const table = findTable(model, record.table);
        if (!table) throw new Error(`The template has no table ${record.table}.`);
        const note = { actor: "system:template", mutation: "" };
        const { id, values } = record;
        return { kind: "insert", table, record: id, set: values, row: values, note };
      });
    for (const batch of batchWrites(writes)) {
      const { text, values } = writeStatement(kysely, batch);
      await client.query(text, values);
    }
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}
