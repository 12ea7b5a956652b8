import type { Model } from "../../../shared/model/model.ts";
import { claimFeed, installCapture } from "../capture.ts";
import type { Db } from "../database.ts";
import { recordManagedTable, requireFreeNames } from "../managed-tables.ts";
import { installStamps } from "../stamps.ts";
import { addLink, createTable } from "./field-ddl.ts";

/**
 * Managed tables: ordinary Postgres tables with ordinary typed columns in the database's own schema,
 * so that any other program can read and write them.
 */

/**
 * Creates every table of a first model, with its links and its capture. If the database has something else
 * under one of their names, refuses without any change.
 */
export async function createTables(db: Db, model: Model): Promise<void> {
  await requireFreeNames(db, model);
  const { tables } = model;
  const statements = [
    ...tables.flatMap(createTable),
    ...tables.flatMap((table) => table.fields.flatMap((field) => addLink(table, field))),
  ];
  for (const statement of statements) await statement.execute(db);
  for (const table of tables) {
    await recordManagedTable(db, table.name);
    await claimFeed(db, table);
    await installCapture(db, table);
    await installStamps(db, table);
  }
}
