import { sql } from "kysely";
import type { Model, Table } from "../../../shared/model/model.ts";
import { AdvisoryLock } from "../advisory-lock.ts";
import { installCapture } from "../capture.ts";
import type { Database, Db } from "../database.ts";
import { numberByLog, raiseEntries } from "../ddl/entry-numbers.ts";
import { addKeys, addLink, createColumns } from "../ddl/field-ddl.ts";
import { skipOpenMail } from "../deliveries.ts";
import { entryColumn, identifier, quoted } from "../identifiers.ts";
import { forgetWaitingMail } from "../inbox.ts";
import { recordManagedTable, requireFreeNames } from "../managed-tables.ts";
import { readModel } from "../models.ts";
import { migrateTo, migrationOfBackup } from "../schema/migrate.ts";
import { installStamps } from "../stamps.ts";
import { execute, rowsOf } from "../statement.ts";
import { ensureTextOrderIn } from "../text-order.ts";
import { BackupError } from "./backup-error.ts";
import { newer, type Part, readBackup, verifyBackup } from "./backup-reader.ts";
import { clearTarget, requireTarget } from "./clear-target.ts";
import { copyIn } from "./copy-stream.ts";
import { type BackedUpTable, type BackupContent, type Manifest, tableLabel } from "./manifest.ts";
import { type OneConnection, onOneConnection } from "./one-connection.ts";
import { storedColumns } from "./read-manifest.ts";

/** Reads all of a backup and checks that this version can restore it. Needs no database. */
export async function checkBackup(file: string): Promise<BackupContent> {
  const content = await verifyBackup(file);
  const { migrations, version } = content.manifest;
  if (!migrationOfBackup(migrations)) throw newer(file, version);
  return content;
}

/**
 * Restores a backup that was checked, in one transaction: if anything fails, the database is as it was.
 * Everybody has to sign in again, and every feed begins another epoch.
 */
export async function restoreBackup(
  database: Database,
  file: string,
  options: { replace: boolean },
): Promise<void> {
  await requireTarget(database.kysely, options);
  await using locks = new AsyncDisposableStack();
  await excludeServers(database, locks);
  await onOneConnection(database, "restoring a backup", async ({ client, kysely }) => {
    const tables = await kysely
      .transaction()
      .execute((trx) => restoreAll({ client, kysely: trx }, file))
      .catch((error: unknown) => {
        throw dependent(error);
      });
    // Without it, plans are bad until the next autovacuum. What is restored is committed, whatever becomes of it.
    const names = tables.map(({ schema, name }) => identifier(schema, name));
    await sql`analyze ${sql.join(names)}`.execute(kysely).catch(() => undefined);
  });
}

/**
 * Throws if a server runs on the database. One that starts before `locks` are disposed of waits (start-lock.ts).
 */
export async function excludeServers(
  database: Database,
  locks: AsyncDisposableStack,
): Promise<void> {
  for (const name of ["start", "relay"] as const) {
    const lock = new AdvisoryLock(database, name);
    locks.defer(() => lock.close());
    const lease = await lock.tryAcquire();
    if (!lease) throw runs();
    locks.defer(() => lease.release());
  }
  const rows = await rowsOf(database.kysely)`
    select from pg_catalog.pg_stat_activity
    where datname = current_database() and application_name = 'watchfloor relay'
    offset 1`;
  if (rows.length > 0) throw runs();
}

const runs = () =>
  new BackupError(
    "A Watchfloor server is running on the database: stop all servers first. Nothing was changed.",
  );

async function restoreAll(connection: OneConnection, file: string): Promise<BackedUpTable[]> {
  const trx = connection.kysely;
  const parts = readBackup(file);
  const first = (await parts.next()).value as Part | undefined;
  if (first?.kind !== "manifest") throw new BackupError(`${file} has changed.`);
  const { manifest } = first;
  await clearTarget(trx);
  await migrateTo(trx, migrationOfBackup(manifest.migrations) ?? undefined);
  const loading = { connection, manifest, parts };
  const ofPlatform = manifest.tables.filter(({ schema }) => schema === "watchfloor");
  await requireKnownTables(trx, ofPlatform);
  for (const table of ofPlatform) await loadTable(loading, table);
  await setSequences(trx, manifest, "watchfloor");
  // From here on it is the code of this version that reads and writes.
  await migrateTo(trx);
  await ensureTextOrderIn(trx);
  const model = await readModel(trx);
  await restoreRecords(loading, model);
  await setSequences(trx, manifest, "public");
  for (const table of model.tables) await raiseEntries(trx, table);
  // The digest of the file is checked after its last part.
  if (!(await parts.next()).done) throw new BackupError(`${file} has changed.`);
  await completeModel(trx, model);
  await beginEpochs(trx);
  // A copy beside the original must not send its events, too.
  await trx.updateTable("watchfloor.webhook").set({ paused: true }).execute();
  await skipOpenMail(trx);
  await forgetWaitingMail(trx, null);
  return manifest.tables;
}

/** A file of this version names only tables of its schema. */
async function requireKnownTables(trx: Db, tables: readonly BackedUpTable[]): Promise<void> {
  const rows = await rowsOf<{ name: string }>(trx)`select relname as name from pg_catalog.pg_class
    where relnamespace = 'watchfloor'::regnamespace and relkind = 'r'`;
  const known = new Set(rows.map(({ name }) => name));
  const unknown = tables.find(({ name }) => !known.has(name));
  if (unknown) throw mismatch(unknown);
}

interface Loading {
  connection: OneConnection;
  manifest: Manifest;
  parts: AsyncIterator<Part>;
}

async function loadTable({ connection, parts }: Loading, table: BackedUpTable): Promise<void> {
  const name = identifier(table.schema, table.name);
  const columns = sql.join(table.columns.map((column) => identifier(column)));
  const statement = sql`copy ${name} (${columns}) from stdin`.compile(connection.kysely).sql;
  let expected = -1;
  const bytes = async function* () {
    for (;;) {
      const { value } = (await parts.next()) as { value: Part | undefined };
      if (value?.kind === "rows") yield value.bytes;
      else {
        expected = value?.kind === "tableEnd" ? value.rows : -1;
        return;
      }
    }
  };
  if ((await copyIn(connection.client, statement, bytes())) !== expected) throw mismatch(table);
}

const mismatch = (table: BackedUpTable) =>
  new BackupError(
    `The backup does not hold what it says (${tableLabel(table)}). Nothing was changed.`,
  );

async function restoreRecords(loading: Loading, model: Model): Promise<void> {
  const { kysely } = loading.connection;
  await requireFreeNames(kysely, model);
  const tables = loading.manifest.tables.filter(({ schema }) => schema === "public");
  if (tables.length !== model.tables.length) throw new BackupError("The backup lacks a table.");
  for (const table of model.tables) {
    const held = tables.find(({ name }) => name === table.name);
    const columns = storedColumns(table);
    const isHeld = held?.columns.join() === columns.join();
    if (!isHeld && held?.columns.join() !== withoutEntry(columns).join()) {
      throw new BackupError(
        `The backup does not hold the table ${table.name} as its model has it.`,
      );
    }
    for (const statement of createColumns(table)) await statement.execute(kysely);
  }
  for (const table of tables) await loadTable(loading, table);
  for (const table of model.tables) {
    const held = tables.find(({ name }) => name === table.name);
    // A backup from before there was an order of entry. The records got numbers in the order of the file.
    if (!held?.columns.includes(entryColumn)) await numberByLog(table).execute(kysely);
  }
}

const withoutEntry = (columns: string[]) => columns.filter((column) => column !== entryColumn);

async function setSequences(
  trx: Db,
  { sequences }: Manifest,
  of: BackedUpTable["schema"],
): Promise<void> {
  for (const { schema, name, value } of sequences) {
    if (schema !== of) continue;
    await execute(trx)`select setval(${quoted(schema, name)}::regclass, ${value}::bigint)`;
  }
}

/** After the records: faster, and nothing is captured. The server validates the links at its next start. */
async function completeModel(trx: Db, { tables }: Model): Promise<void> {
  const link = (table: Table) =>
    table.fields.flatMap((field) => addLink(table, field, { isValidated: false }));
  for (const statement of [...tables.flatMap(addKeys), ...tables.flatMap(link)]) {
    await statement.execute(trx);
  }
  for (const table of tables) {
    await recordManagedTable(trx, table.name);
    await installCapture(trx, table);
    await installStamps(trx, table);
  }
}

/** They continue the epochs of the backup up to its heads; positions beyond them belong to a lost history. */
async function beginEpochs(trx: Db): Promise<void> {
  await execute(trx)`select watchfloor.continue_epoch(id, head) from watchfloor.feed`;
}

const DEPENDENT_OBJECTS = "2BP01";

function dependent(error: unknown): unknown {
  const { code, detail = "" } = error as { code?: string; detail?: string };
  if (code !== DEPENDENT_OBJECTS) return error;
  return new BackupError(
    `Objects of another program depend on tables that would be replaced (${detail.split("\n")[0]}): drop them first. Nothing was changed.`,
  );
}
