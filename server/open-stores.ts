import { resolve } from "node:path";
import type { Logger } from "pino";
import type { Config } from "./config/config.ts";
import type { StartedParts } from "./started-parts.ts";
import { type Database, openDatabase } from "./store/database.ts";
import { startEmbeddedPostgres } from "./store/embedded/start-embedded-postgres.ts";
import type { StatementTimes } from "./store/statement-times.ts";

/** Reads have a pool of their own (server/commands/reads.ts). */
const POOL_CONNECTIONS = 12;
/** The pool for work that may take long: migrations, table changes, sweeps. */
const MAINTENANCE_CONNECTIONS = 3;
/** The time-out of a request's statement; a connection that does not even report it is dropped. */
export const STATEMENT_TIMEOUT_MS = 8_000;
/** Longer than stopping the embedded Postgres takes: its last way is certain (store/embedded/postmaster.ts). */
const EMBEDDED_STOP_MS = 20_000;

/**
 * One database by two pools: statements of requests have a time-out, those of maintenance have none and may
 * run as another role, which owns the tables.
 */
export interface Stores {
  database: Database;
  maintenance: Database;
}

/** The database: the configured one, else the embedded one. */
export async function openStores(
  config: Config,
  log: Logger,
  built: StartedParts,
  times: StatementTimes,
  stopping: AbortSignal,
): Promise<Stores> {
  let connectionString = config.databaseUrl;
  if (!connectionString) {
    const embedded = await startEmbeddedPostgres({
      dataDir: resolve(config.dataDir),
      log,
      stopping,
      // Postgres was down and another server took over the folder. Two servers must not write to it.
      onLost(reason) {
        log.fatal({ err: reason }, "the data folder belongs to another server now");
        process.exit(1);
      },
    });
    built.defer("the embedded database", () => embedded.stop(), EMBEDDED_STOP_MS);
    connectionString = embedded.connection;
  }
  // The driver attaches its whole client to the error, with the key that cancels its queries.
  const onError = ({ message }: Error) => {
    log.warn({ reason: message }, "a database connection broke");
  };
  const maintenance = openDatabase({
    connectionString: config.databaseOwnerUrl ?? connectionString,
    poolSize: MAINTENANCE_CONNECTIONS,
    onError,
    times,
  });
  built.defer("maintenance statements", () => maintenance.close());
  const database = openDatabase({
    connectionString,
    poolSize: POOL_CONNECTIONS,
    timeoutMs: STATEMENT_TIMEOUT_MS,
    onError,
    times,
  });
  built.defer("statements", () => database.close());
  return { database, maintenance };
}
