import { stat } from "node:fs/promises";
import { sql } from "kysely";
import type { Model } from "../../../shared/model/model.ts";
import type { Database, Db } from "../database.ts";
import type { Sql } from "../ddl/field-ddl.ts";
import { movedTransaction, transactionOffset } from "../foreign-transactions.ts";
import { identifier } from "../identifiers.ts";
import { readMisfits, TableMisfit } from "../model-fit.ts";
import { hasSchema, readModel } from "../models.ts";
import { requireOwnSchema } from "../schema/migrate.ts";
import { execute } from "../statement.ts";
import { BackupError } from "./backup-error.ts";
import { BackupWriter } from "./backup-writer.ts";
import { CopyOut } from "./copy-stream.ts";
import { type BackedUpTable, type BackupContent, tableLabel } from "./manifest.ts";
import { type OneConnection, onOneConnection } from "./one-connection.ts";
import { readManifest, readTables } from "./read-manifest.ts";

export interface WrittenBackup extends BackupContent {
  /** The size of the file. */
  bytes: number;
}

/**
 * Writes everything that Watchfloor stores to a file, as it is at one moment, while servers run and users
 * edit. Nobody waits for it except the publishing of a model. `signal` ends it, without a file.
 */
export async function writeBackup(
  database: Database,
  file: string,
  version: string,
  signal?: AbortSignal,
): Promise<WrittenBackup> {
  const write = async (connection: OneConnection) => {
    const { kysely } = connection;
    await requireFile(file);
    await requireInstallation(kysely);
    // Before the snapshot, which would not show a rewritten table: no model is published until this session ends.
    await execute(kysely)`select pg_advisory_lock_shared(hashtext('watchfloor.model'))`;
    const model = await readModel(kysely);
    const misfits = await readMisfits(kysely, model);
    if (misfits.length > 0) throw new TableMisfit(misfits);
    const tables = await readTables(kysely, model);
    const writer = new BackupWriter(file);
    try {
      const content = await kysely
        .transaction()
        .setIsolationLevel("repeatable read")
        .setAccessMode("read only")
        .execute(async (trx) => {
          await lockTables(trx, tables);
          return writeSnapshot({ client: connection.client, kysely: trx }, writer, model, version);
        });
      await writer.finish();
      return { ...content, bytes: (await stat(file)).size };
    } catch (error) {
      const failure = await writer.discard();
      throw failure ? unwritable(file, failure) : error;
    }
  };
  return onOneConnection(database, "watchfloor backup", write, signal);
}

/** A device such as /dev/null would be replaced. */
async function requireFile(file: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (found && !found.isFile())
    throw new BackupError(`${file} is not a regular file. Name another one.`);
}

async function requireInstallation(db: Db): Promise<void> {
  await requireOwnSchema({ kysely: db });
  if (!(await hasSchema(db)))
    throw new BackupError("There is nothing of Watchfloor in the database.");
}

/** Before the snapshot is taken, which is by the first query: other programs may alter the tables, too. */
async function lockTables(db: Db, tables: readonly BackedUpTable[]): Promise<void> {
  const names = tables.map((table) => sql`${identifier(table.schema, table.name)}`);
  await execute(db)`lock table ${sql.join(names)} in access share mode`;
}

async function writeSnapshot(
  { client, kysely }: OneConnection,
  writer: BackupWriter,
  model: Model,
  version: string,
): Promise<BackupContent> {
  const manifest = await readManifest(kysely, model, version);
  await writer.write({ watchfloor: manifest });
  const offset = await transactionOffset(kysely);
  const rows: number[] = [];
  for (const table of manifest.tables) {
    const copied = new CopyOut(client, copyStatement(kysely, table, offset));
    for await (const block of copied as AsyncIterable<Buffer>) {
      await writer.write({ bytes: block.length }, block);
    }
    await writer.write({ rows: copied.rows });
    rows.push(copied.rows);
  }
  return { manifest, rows };
}

/**
 * No backup has a credential that works: displays are paired again, and API tokens are revoked. Webhooks are
 * paused, because the restored installation may not be the one that receivers expect.
 */
const replaced: Record<string, Sql> = {
  "display.token_hash": sql`null`,
  "api_token.hash": sql`'restored ' || id`,
  "api_token.revoked_at": sql`coalesce(revoked_at, now())`,
  "webhook.paused": sql`true`,
};

function copyStatement(db: Db, table: BackedUpTable, offset: string): string {
  const { schema, name, columns } = table;
  const stored = (column: string) => {
    if (schema === "public") return identifier(column);
    if (column === "tx") return movedTransaction(offset);
    return replaced[`${name}.${column}`] ?? identifier(column);
  };
  const from = identifier(schema, name);
  return sql`copy (select ${sql.join(columns.map(stored))} from ${from}) to stdout`.compile(db).sql;
}

function unwritable(file: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code ? new BackupError(`${file} can't be written (${code}).`) : error;
}

/** What a backup holds, for the terminal. */
export function describeContent({ manifest, rows }: BackupContent): string {
  const count = (matches: (table: BackedUpTable) => boolean) =>
    manifest.tables.reduce((sum, table, at) => sum + (matches(table) ? (rows[at] ?? 0) : 0), 0);
  const of = (name: string) => count((table) => tableLabel(table) === `watchfloor.${name}`);
  const ofModel = manifest.tables.filter(({ schema }) => schema === "public").length;
  const parts: [number, string, string][] = [
    [count(({ schema }) => schema === "public"), "record", "records"],
    [ofModel, "table", "tables"],
    [of("user"), "user", "users"],
    [of("wallboard"), "wallboard", "wallboards"],
    [of("view"), "view", "views"],
    [of("change"), "logged change", "logged changes"],
  ];
  return parts
    .map(([n, one, many]) => `${n.toLocaleString("en-GB")} ${n === 1 ? one : many}`)
    .join(", ");
}
