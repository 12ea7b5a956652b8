import { type Kysely, sql } from "kysely";
import type { Model, Table } from "../../../shared/model/model.ts";
import { installCapture } from "../capture.ts";
import { installStamps } from "../stamps.ts";
import { addLink, createTable } from "./field-ddl.ts";

/**
 * Managed tables: ordinary Postgres tables with ordinary typed columns in the database's own schema,
 * so that any other program can read and write them.
 */

/** Makes every table of a model that is not there yet, with its links and its capture. */
export async function createTables(db: Kysely<unknown>, model: Model): Promise<void> {
  const missing: Table[] = [];
  for (const table of model.tables) {
    if (!(await exists(db, table.name))) missing.push(table);
  }
  const statements = [
    ...missing.flatMap(createTable),
    ...missing.flatMap((table) => table.fields.flatMap((field) => addLink(table, field))),
  ];
  for (const statement of statements) await statement.execute(db);
  for (const table of model.tables) {
    await installCapture(db, table);
    await installStamps(db, table);
  }
}

async function exists(db: Kysely<unknown>, table: string): Promise<boolean> {
  const found = await sql`select 1 from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relname = ${table}`.execute(db);
  return found.rows.length > 0;
}
