import { sql } from "kysely";
import { idOfTable, type Model, type Table } from "../../../shared/model/model.ts";
import { installCapture } from "../capture.ts";
import { nextEntry } from "../columns.ts";
import type { Database, Db } from "../database.ts";
import { entryColumn, entryRef, identifier, idRef, quoted, tableRef } from "../identifiers.ts";
import { managedTables } from "../managed-tables.ts";
import { readModel } from "../models.ts";
import { entryField, objectName } from "../object-name.ts";
import { withoutTriggers } from "../stamps.ts";
import { execute, rowsOf } from "../statement.ts";
import { createEntrySequence, type Sql } from "./field-ddl.ts";

/**
 * The numbers of the order of entry (ADR 58) where records are there before them: in tables from before there were any, in
 * backups of those, and in the log of a table that was removed and is restored. A number is given once, when a record is created,
 * and never changes: whatever follows the log may rely on that.
 */

/** Gives every table that Watchfloor created its numbers. The indexes of orders are dropped: they are built anew (complete-tables.ts). */
export async function addEntryNumbers(db: Db): Promise<void> {
  await execute(db)`alter table watchfloor.change add column entry bigint`;
  for (const table of await managedTables(db, await readModel(db))) {
    for (const field of table.fields) {
      await execute(db)`drop index if exists ${identifier(objectName(table, field, "index"))}`;
    }
    await addNumbers(db, table);
  }
}

async function addNumbers(db: Db, table: Table): Promise<void> {
  const alter = sql`alter table ${tableRef(table)}`;
  const statements = [
    createEntrySequence(table),
    sql`${alter} add column ${entryRef()} bigint`,
    ...withoutTriggers(table, numberByLog(table)),
    sql`${alter} alter column ${entryRef()} set not null,
      alter column ${entryRef()} set default ${nextEntry(table)}`,
  ];
  for (const statement of statements) await statement.execute(db);
  await raiseEntries(db, table);
  await installCapture(db, table);
}

/** The same for tables that somebody has created anew by hand and registered as Watchfloor's. */
export async function addMissingNumbers({ kysely }: Database, model: Model): Promise<void> {
  for (const table of await tablesWithoutNumbers(kysely, model)) {
    await kysely.transaction().execute((trx) => addNumbers(trx, table));
  }
}

export async function tablesWithoutNumbers(db: Db, model: Model): Promise<Table[]> {
  const managed = await managedTables(db, model);
  const names = managed.map(({ name }) => name);
  const numbered = await rowsOf<{ name: string }>(db)`
    select c.relname as name from pg_catalog.pg_class c
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = ${entryColumn} and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relname = any(${names}::text[])`;
  return managed.filter(({ name }) => !numbered.some((table) => table.name === name));
}

/**
 * Numbers the records in the order in which the log first has them. Those that it does not have are older, and come before them by
 * their ids.
 */
export function numberByLog(table: Table): Sql {
  return sql`update ${tableRef(table)} t set ${entryRef()} = n.place from (
      select ${idRef("r")} as id, row_number() over (order by c.ord nulls first, ${idRef("r")}) as place
      from ${tableRef(table)} r left join (
        select record, min(ord) as ord from watchfloor.change
        where feed = (select id from watchfloor.feed where table_name = ${sql.lit(table.name)}) and kind = 'insert'
        group by record
      ) c on c.record = ${idRef("r")}
    ) n where n.id = ${idRef("t")}`;
}

/** Lets the numbers of new records go on behind all that the table holds, or that its log has of deleted records. */
export async function raiseEntries(db: Db, table: Table): Promise<void> {
  const sequence = quoted(objectName(table, entryField, "seq"));
  await execute(db)`select setval(${sequence}::regclass, m.entry) from (
      select greatest(
        (select max(${entryRef()}) from ${tableRef(table)}),
        (select max(c.entry) from watchfloor.change c join watchfloor.feed f on f.id = c.feed
          where f.table_id = ${idOfTable(table)})) as entry
    ) m
    where m.entry >= (select last_value from ${identifier(objectName(table, entryField, "seq"))})`;
}
