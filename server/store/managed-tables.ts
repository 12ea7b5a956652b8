import { sql } from "kysely";
import { explain } from "../../shared/error-texts/explain.ts";
import { idOfTable, type Model, type Table } from "../../shared/model/model.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { Db } from "./database.ts";
import { entryField, type ObjectKind, objectName } from "./object-name.ts";
import { execute, rowsOf } from "./statement.ts";

/**
 * Which tables Watchfloor created. Only those are altered or dropped: a name in the model proves nothing,
 * because another program may have a table of that name. `watchfloor.managed_table` records each table when
 * it is created, by oid. Its column is a `regclass`, which `pg_dump` writes as a name, so a restored backup
 * still has the records.
 */

const relations = sql`pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  and n.nspname = current_schema()`;

/** Records a table that was created in this transaction. */
export async function recordManagedTable(db: Db, table: string): Promise<void> {
  await execute(db)`insert into watchfloor.managed_table (relation)
    select c.oid from ${relations} where c.relname = ${table}`;
}

/** Removes the records of tables that no longer exist. */
export async function forgetDroppedTables(db: Db): Promise<void> {
  await execute(db)`delete from watchfloor.managed_table
    where relation::oid not in (select oid from pg_catalog.pg_class)`;
}

/** The tables of a model that exist but were not created by Watchfloor. */
export async function unmanagedTables(db: Db, { tables }: Model): Promise<Set<string>> {
  const names = tables.map(({ name }) => name);
  const found = await rowsOf<{ name: string }>(db)`select c.relname as name from ${relations}
    where c.relname = any(${names}::text[])
      and c.oid not in (select relation::oid from watchfloor.managed_table)`;
  return new Set(found.map(({ name }) => name));
}

/** The tables of a model that Watchfloor created and that are in the database: during a restore they are not yet. */
export async function managedTables(db: Db, { tables }: Model): Promise<Table[]> {
  const names = tables.map(({ name }) => name);
  const found = await rowsOf<{ name: string }>(db)`select c.relname as name from ${relations}
    where c.relname = any(${names}::text[])
      and c.oid in (select relation::oid from watchfloor.managed_table)`;
  const managed = new Set(found.map(({ name }) => name));
  return tables.filter(({ name }) => managed.has(name));
}

/** Which of the names a new table or index can't have: a relation of any kind or a type has it. */
export async function takenNames(db: Db, names: readonly string[]): Promise<Set<string>> {
  const found = await rowsOf<{ name: string }>(db)`
    select c.relname as name from ${relations} where c.relname = any(${names}::text[])
    union
    select t.typname from pg_catalog.pg_type t
    join pg_catalog.pg_namespace n on n.oid = t.typnamespace and n.nspname = current_schema()
    where t.typname = any(${names}::text[]) and t.typelem = 0`;
  return new Set(found.map(({ name }) => name));
}

/** Refuses if the database has something else under a name that the model's tables need. */
export async function requireFreeNames(db: Db, model: Model): Promise<void> {
  const [name] = await takenNames(db, namesOf(model));
  if (name === undefined) return;
  throw new Refusal(
    "validation_failed",
    { rule: "database", name },
    explain("setup.nameTaken", { name }),
  );
}

const kinds: readonly ObjectKind[] = ["seq", "key", "index", "links"];

/** The names of the model's tables, and of everything that belongs to them. */
function namesOf({ tables }: Model): string[] {
  return tables.flatMap((table) => [
    table.name,
    ...[entryField, ...table.fields].flatMap((field) =>
      kinds.map((kind) => objectName({ ...table, id: idOfTable(table) }, field, kind)),
    ),
  ]);
}

/** The tables in a database in which Watchfloor has none yet, without those that belong to an extension. At most 100. */
export async function tablesOfOthers(db: Db): Promise<string[]> {
  const rows = await rowsOf<{ table: string }>(db)`
    select c.oid::regclass::text as "table" from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname not in ('information_schema', 'watchfloor')
      and n.nspname not like 'pg\\_%' and not exists (select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by 1 limit 100`;
  return rows.map(({ table }) => table);
}
