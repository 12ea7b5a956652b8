import { CompiledQuery } from "kysely";
import { findTable, type Model, type Values } from "../../shared/model/model.ts";
import type { Db } from "./database.ts";
import { actAs } from "./statement.ts";
import { batchWrites, type RowWrite, writeStatement } from "./write-statements.ts";

/** A record of a template. */
export interface SeedRecord {
  table: string;
  id: string;
  values: Values;
}

/**
 * Inserts the records of a template into its tables, in the caller's transaction, by the author
 * `system:template`.
 */
export async function seedRecords(
  trx: Db,
  model: Model,
  records: readonly SeedRecord[],
): Promise<void> {
  await actAs(trx, "system:template");
  const writes = records.map((record): RowWrite => {
    const table = findTable(model, record.table);
    if (!table) throw new Error(`The template has no table ${record.table}.`);
    const note = { actor: "system:template", mutation: "" };
    const { id, values } = record;
    return { kind: "insert", table, record: id, set: values, row: values, note };
  });
  for (const batch of batchWrites(writes)) {
    const { text, values } = writeStatement(trx, batch);
    await trx.executeQuery(CompiledQuery.raw(text, values as unknown[]));
  }
}
