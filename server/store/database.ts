import { Kysely, type LogConfig, PostgresDialect } from "kysely";
import pg from "pg";
import { parseExactJson } from "../../shared/model/exact-json.ts";
import { DatabaseServer, type Settings } from "./database-server.ts";
import { endSocket } from "./end-socket.ts";
import type { PlatformTables } from "./platform-tables.ts";
import { type StatementTimes, timeStatements } from "./statement-times.ts";

/**
 * The only user of the SQL driver. Everything is read in UTC and as text or JSON, so that microseconds, exact
 * decimals and large integers survive: never as a JavaScript Date.
 */

const INT8 = 20;
const JSON_TEXT = 114;
const JSONB = 3802;
const DATE = 1082;
const TIMESTAMPTZ = 1184;

const toIso = (text: string): string => `${text.replace(" ", "T")}:00`;
const parsers = new Map<number, (text: string) => unknown>([
  [INT8, Number],
  [JSON_TEXT, parseExactJson],
  [JSONB, parseExactJson],
  [DATE, (text) => text],
  [TIMESTAMPTZ, toIso],
]);

const types = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    return parsers.get(oid) ?? pg.types.getTypeParser(oid, format);
  },
} as pg.CustomTypesConfig;

/** What queries run on: the pool, or one transaction. Named so that other modules need no SQL library. */
export type Db = Kysely<PlatformTables>;

interface DatabaseOptions {
  connectionString: string;
  /** Connections in the pool; the writer, the relay and the listener have one more each. */
  poolSize: number;
  onError: (error: Error) => void;
  /**
   * Ends longer statements of the pool, with 57014. A connection on which Postgres does not even answer that
   * is dropped a little later.
   */
  timeoutMs?: number;
  /** Measures the statements of the pool. */
  times?: StatementTimes | undefined;
}

export interface Database {
  readonly pool: pg.Pool;
  readonly kysely: Db;
  /** A dedicated connection outside the pool, for work that holds session state. */
  connect(options?: {
    name?: string;
    /**
     * For a session that only looks rows up by key: cached plans stay valid, also those made while a table was
     * small and had no statistics.
     */
    byKey?: boolean;
    /** How long its statements wait for a lock. */
    lockTimeoutMs?: number;
    /** Its commits are announced without NOTIFY. */
    announcesItself?: boolean;
    /** An open transaction in which nothing is sent for this long is rolled back, and its connection ended. */
    transactionIdleMs?: number;
  }): Promise<pg.Client>;
  /**
   * Throws if a connection must be given up although it answers: Postgres accepts no changes any more, or a pooler has changed its
   * session (database-server.ts).
   */
  check(client: pg.ClientBase): Promise<void>;
  /** A separate pool on the same Postgres, closed by its caller: nobody else waits for its work. */
  separatePool(poolSize: number, options?: Pick<DatabaseOptions, "timeoutMs">): Database;
  close(): Promise<void>;
}

/**
 * Every setting on which we rely, for the server's or the database's defaults may be others. Records are in `public`, whatever our
 * Postgres role: a user called watchfloor would find our own schema first, where a customer's table "user" meets ours. Compiling a plan
 * costs more than any of our statements; before Postgres 18 a forbidden plan node triggers it. With fewer digits floats would be rounded.
 * What takes long is bounded by its caller, never by a default of the database.
 *
 * A server machine that disappears closes no connection, and Postgres would keep its locks until TCP gives up: 15
 * minutes, or 2 hours while nothing is sent. Between two statements of a transaction the server only computes, so a
 * minute of silence means that it is gone; other locks and connections end by keepalive after 25 s. Where only the process has ended,
 * Postgres would notice when it answers: a long statement would go on for minutes, with its locks and its snapshot.
 */
const sessionSettings: Settings = {
  search_path: "public",
  timezone: "UTC",
  datestyle: "ISO",
  intervalstyle: "postgres",
  extra_float_digits: 1,
  bytea_output: "hex",
  default_transaction_isolation: "read committed",
  lock_timeout: "4s",
  statement_timeout: 0,
  transaction_timeout: 0,
  idle_session_timeout: 0,
  jit: "off",
  idle_in_transaction_session_timeout: "60s",
  client_connection_check_interval: "2s",
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
};

/**
 * Ends a connection whose peer has not acknowledged anything for so long. Not for pools: a reader may take
 * its rows as slowly as it wants.
 */
const unacknowledgedSetting: Settings = { tcp_user_timeout: "30s" };

/** A database that does not answer is unavailable; nobody waits for the network time-out. */
const CONNECT_TIMEOUT_MS = 10_000;

const byKeySettings: Settings = {
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  plan_cache_mode: "force_generic_plan",
};

/** Postgres ends a statement itself; it has so much longer to report it. */
const SILENCE_MS = 1_000;

/** The driver stops waiting for a statement but would use its connection again. */
function dropUnresponsive(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const watched = (...args: unknown[]) => {
    const running = query(...args);
    if (running instanceof Promise) {
      running.catch((error: Error) => {
        if (error.message === "Query read timeout") void (client as unknown as pg.Client).end();
      });
    }
    return running;
  };
  client.query = watched as typeof client.query;
}

/** Opens a pool on a Postgres (15 or newer). Connects lazily: a wrong address shows at first use. */
export function openDatabase(database: DatabaseOptions): Database {
  const { connectionString } = database;
  return openOn(new DatabaseServer(connectionString), database);
}

function openOn(
  server: DatabaseServer,
  { poolSize, onError, timeoutMs, times }: Omit<DatabaseOptions, "connectionString">,
): Database {
  const { connectionString, Client } = server;
  const connectionTimeoutMillis = CONNECT_TIMEOUT_MS;
  const base = { connectionString, types, keepAlive: true, connectionTimeoutMillis };
  const settings: Settings =
    timeoutMs === undefined
      ? sessionSettings
      : { ...sessionSettings, statement_timeout: timeoutMs };
  const pool = new pg.Pool({
    ...base,
    ...(timeoutMs !== undefined && { query_timeout: timeoutMs + SILENCE_MS }),
    max: poolSize,
    application_name: "watchfloor",
    Client,
    onConnect: (client) => server.prepare(client as never, settings),
  });
  pool.on("error", onError);
  // A connection that is lost while checked out has no other listener, and an unhandled error ends the
  // process. Its holder learns of it by the next statement.
  pool.on("connect", (client) => client.on("error", () => undefined));
  if (timeoutMs !== undefined) pool.on("connect", dropUnresponsive);
  if (times) timeStatements(pool, times);
  const log: LogConfig = [];
  const kysely = new Kysely<PlatformTables>({ dialect: new PostgresDialect({ pool }), log });
  const connect: Database["connect"] = async (wanted = {}) => {
    const { name = "watchfloor", lockTimeoutMs, transactionIdleMs, ...uses } = wanted;
    const client = new Client({ ...base, application_name: name } as pg.ClientConfig);
    client.on("error", onError);
    await client.connect();
    const settings = {
      ...sessionSettings,
      ...unacknowledgedSetting,
      ...(uses.announcesItself && { "watchfloor.hint": "own" }),
      ...(lockTimeoutMs !== undefined && { lock_timeout: lockTimeoutMs }),
      ...(transactionIdleMs !== undefined && {
        idle_in_transaction_session_timeout: transactionIdleMs,
      }),
      ...(uses.byKey && byKeySettings),
    };
    try {
      await server.prepare(client, settings);
    } catch (error) {
      endSocket(client);
      throw error;
    }
    return client;
  };
  return {
    pool,
    kysely,
    connect,
    check: (client) => server.check(client),
    separatePool: (size, options) => openOn(server, { poolSize: size, onError, times, ...options }),
    close: () => kysely.destroy(),
  };
}
