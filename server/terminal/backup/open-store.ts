import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pino } from "pino";
import type { Config } from "../../config/config.ts";
import { configOrExit } from "../../config/config.ts";
import { startFailure } from "../../start-failure.ts";
import { BackupError } from "../../store/backup/backup-error.ts";
import { type Database, openDatabase } from "../../store/database.ts";
import { DataFolderInUse } from "../../store/embedded/postmaster.ts";
import { startEmbeddedPostgres } from "../../store/embedded/start-embedded-postgres.ts";

/** The database that the server of this environment uses: by DATABASE_URL, or the one in DATA_DIR. */
export interface OpenStore {
  database: Database;
  config: Config;
}

interface StoreUse {
  /** A running server is no obstacle. */
  beside: boolean;
  /** Without an embedded database none is created; so with `beside`. */
  mustExist?: boolean;
}

/**
 * Runs work on the database of the environment, and starts the embedded Postgres for it if no server runs.
 * A failure that the operator can act on is printed as one sentence; the result is null then.
 */
export async function withStore<T>(
  use: StoreUse,
  work: (store: OpenStore) => Promise<T>,
): Promise<T | null> {
  const config = configOrExit();
  await using opened = new AsyncDisposableStack();
  try {
    const connectionString =
      config.databaseOwnerUrl ?? config.databaseUrl ?? (await openEmbedded(config, use, opened));
    // A broken connection is reported by the statement that runs on it.
    const database = openDatabase({ connectionString, poolSize: 1, onError: () => {} });
    opened.defer(() => database.close());
    return await work({ database, config });
  } catch (error) {
    const reason = startFailure(error, config);
    if (typeof reason !== "string") throw error;
    console.error(reason);
    return null;
  }
}

/**
 * The address of the embedded Postgres: of the running server, with `beside`, or of one that is started until `opened` is
 * disposed of.
 */
export async function openEmbedded(
  { dataDir }: Config,
  { beside, mustExist = beside }: StoreUse,
  opened: AsyncDisposableStack,
): Promise<string> {
  const folder = resolve(dataDir);
  if (mustExist && !existsSync(join(folder, "postgres"))) {
    throw new BackupError(`There is no database in DATA_DIR (${dataDir}), and no DATABASE_URL.`);
  }
  try {
    const log = pino({ level: "silent" });
    const embedded = await startEmbeddedPostgres({ dataDir: folder, log, beside });
    opened.defer(() => embedded.stop());
    return embedded.connection;
  } catch (error) {
    if (!beside || !(error instanceof DataFolderInUse)) throw error;
    return (await readFile(join(folder, "postgres", "connection"), "utf8")).trim();
  }
}
