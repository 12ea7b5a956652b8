import { sql } from "kysely";
import { findTable, idOfTable, type Model } from "../../../shared/model/model.ts";
import type { Database, Db } from "../database.ts";
import { identifier, quoted } from "../identifiers.ts";
import { unmanagedTables } from "../managed-tables.ts";
import { objectName } from "../object-name.ts";
import { rowsOf } from "../statement.ts";
import { dropFormerTextOrders, ensureTextOrder } from "../text-order.ts";
import { onBuilder } from "./builder-lock.ts";
import { addMissingNumbers, tablesWithoutNumbers } from "./entry-numbers.ts";
import { entryIndex, indexesOf } from "./field-ddl.ts";
import { leftoversIn } from "./leftovers.ts";
import { LOCK_NOT_AVAILABLE, runPatiently } from "./run-patiently.ts";

/** Larger tables are not locked while something of them is built. */
const LARGE_TABLE_BYTES = 33_554_432;

/** The ids of the tables that are too large to be locked for long. */
export async function largeTables(db: Db, { tables }: Model): Promise<Set<string>> {
  const names = tables.map(({ name }) => name);
  const rows = await rowsOf<{ name: string }>(db)`select relname as name from pg_catalog.pg_class
    where relname = any(${names}::text[]) and relnamespace = current_schema()::regnamespace
      and relkind = 'r' and pg_relation_size(oid) > ${LARGE_TABLE_BYTES}`;
  const large = new Set(rows.map(({ name }) => name));
  return new Set(tables.filter(({ name }) => large.has(name)).map(idOfTable));
}

/**
 * Removes what was built ahead for a model that was never published, and builds what the published one still lacks on
 * large tables: indexes, concurrently, and the validation of links. It blocks neither reads nor writes; it may wait for
 * the transactions of other programs. Safe to repeat, and on several servers at once: one after the other. `model` is
 * read again once no other server builds.
 */
export async function completeTables(database: Database, model: () => Model): Promise<void> {
  // Postgres may have been started with another ICU since.
  await ensureTextOrder(database);
  if ((await workIn(database, model())).length === 0) return;
  await onBuilder(database, async (builder) => {
    const managed = await managedIn(database, model());
    for (const statement of await leftoversIn(database.kysely, managed)) {
      await runPatiently(database, builder, statement).catch(ignoreBusy);
    }
    await addMissingNumbers(database, managed);
    await builder.query("set lock_timeout = 0");
    // One after the other, each in a transaction of its own: a concurrent build requires that.
    for (const statement of await missingIn(database, managed)) {
      await builder.query(statement);
    }
    await dropFormerTextOrders(database.kysely);
  });
}

/** What is left on a table that other programs use is removed the next time, and keeps nothing else from being done. */
function ignoreBusy(error: unknown): void {
  if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
}

async function workIn(database: Database, model: Model) {
  const managed = await managedIn(database, model);
  const leftovers = await leftoversIn(database.kysely, managed);
  const unnumbered = await tablesWithoutNumbers(database.kysely, managed);
  return [...leftovers, ...unnumbered, ...(await missingIn(database, managed))];
}

async function managedIn({ kysely }: Database, model: Model): Promise<Model> {
  const unmanaged = await unmanagedTables(kysely, model);
  return { ...model, tables: model.tables.filter(({ name }) => !unmanaged.has(name)) };
}

/**
 * The statements for what is missing. An interrupted build left an invalid index; one that was sorted by another collation than orders
 * name today (text-order.ts) is of no use.
 */
async function missingIn({ kysely }: Database, model: Model): Promise<string[]> {
  const rows = await rowsOf<{ name: string; valid: boolean }>(kysely)`
    select c.relname as name, i.indisvalid and (c.relname !~ '_index$' or i.indcollation[0]
      in (0, 'watchfloor.text_order'::regcollation)) as valid
    from pg_catalog.pg_index i join pg_catalog.pg_class c on c.oid = i.indexrelid
    where c.relnamespace = current_schema()::regnamespace`;
  const indexes = new Map(rows.map(({ name, valid }) => [name, valid]));
  const expected = model.tables.flatMap((table) => [
    entryIndex(table),
    ...table.fields.flatMap((field) => indexesOf(table, field)),
  ]);
  const builds = expected
    .filter(({ name }) => indexes.get(name) !== true)
    .flatMap(({ name, on }) => [
      ...(indexes.has(name) ? [`drop index concurrently if exists ${quoted(name)}`] : []),
      sql`create index concurrently ${identifier(name)} on ${on}`.compile(kysely).sql,
    ]);
  return [...builds, ...(await unvalidatedLinks(kysely, model))];
}

async function unvalidatedLinks(db: Db, model: Model): Promise<string[]> {
  const rows = await rowsOf<{ name: string; table: string }>(db)`
    select k.conname as name, c.relname as "table"
    from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid
    where k.contype = 'f' and not k.convalidated and c.relnamespace = current_schema()::regnamespace`;
  const isOurs = ({ name, table }: { name: string; table: string }) => {
    const found = findTable(model, table);
    return found?.fields.some((field) => objectName(found, field, "link") === name);
  };
  return rows.filter(isOurs).map(({ name, table }) => {
    const [of, link] = [quoted(table), quoted(name)];
    return `alter table ${of} validate constraint ${link}`;
  });
}
