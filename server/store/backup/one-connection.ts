import { Kysely, PostgresDialect } from "kysely";
import type pg from "pg";
import type { Database, Db } from "../database.ts";
import { endSocket } from "../end-socket.ts";
import type { PlatformTables } from "../platform-tables.ts";
import { execute } from "../statement.ts";

/** How long a backup or a restore waits for a lock: longer than a request's transaction can last. */
const LOCK_TIMEOUT_MS = 60_000;

/** A session, and queries on it: COPY needs the driver's client, inside the transactions of the queries. */
export interface OneConnection {
  client: pg.Client;
  kysely: Db;
}

/** Runs work that may take hours on a connection of its own, without time-outs. */
export async function onOneConnection<T>(
  database: Database,
  name: string,
  work: (connection: OneConnection) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted();
  const client = await database.connect({ name, lockTimeoutMs: LOCK_TIMEOUT_MS });
  const pooled = Object.assign(client, { release: () => {} });
  const pool = { connect: async () => pooled, end: async () => {} };
  const kysely = new Kysely<PlatformTables>({
    dialect: new PostgresDialect({ pool: pool as never }),
  });
  const abort = () => endSocket(client);
  signal?.addEventListener("abort", abort);
  try {
    await execute(
      kysely,
    )`select set_config(name, '0', false) from pg_catalog.pg_settings where name in
      ('statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout',
        'tcp_user_timeout')`;
    const result = await work({ client, kysely });
    await client.end();
    return result;
  } catch (error) {
    // A COPY that failed half-way would never let the session end.
    endSocket(client);
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}
