import pg from "pg";
import { splitHosts } from "./database-address.ts";
import { endSocket } from "./end-socket.ts";
import { inTime } from "./in-time.ts";

/**
 * Makes sure that the Postgres at an address is the one that we think, on which everything else relies:
 *
 * - It accepts changes. After a failover the old primary may answer for ever, read-only: reads from it are out of date, and
 *   no connection to it breaks by itself. `target_session_attrs` is not enough, because it is looked at once.
 * - A connection is one session. A pooler that changes the Postgres session between two statements (PgBouncer:
 *   `pool_mode = transaction`) loses session locks, `LISTEN` and settings.
 * - Its settings are ours, whatever the database, the role or a pooler sets. They are set by a statement, not by the
 *   start-up packet: poolers refuse its options, or ignore them.
 *
 * All of this is checked on each new connection, before it is used. Whether changes are still accepted is checked again by
 * `check` every second (change-notifier.ts), and whenever Postgres refuses a write (25006), or does not know a statement that the
 * connection has prepared (26000, 42P05: a pooler that changes sessions since): then all connections as old as that
 * one are ended, and each new one goes to the first host that accepts changes.
 */
export class DatabaseServer {
  /** Where there are several hosts: the one that accepted changes when it was last searched for. */
  #found: Promise<Address> | null = null;
  /** Whether the pooler in between keeps sessions; null while no connection has led through one. */
  #keepsSessions: Promise<void> | null = null;
  /** The driver's client, which connects to the host that accepts changes. */
  readonly Client: typeof pg.Client;
  readonly #addresses: readonly string[];
  readonly #open = new Map<pg.Client, Opened>();
  #serial = 0;

  constructor(connectionString: string) {
    this.#addresses = splitHosts(connectionString);
    const connect = (client: pg.Client, open: () => Promise<unknown>) =>
      this.#connect(client, open);
    this.Client = class extends pg.Client {
      override connect(): Promise<pg.Client>;
      override connect(callback: (error: Error) => void): void;
      override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
        const connecting = connect(this, () => super.connect());
        if (!callback) return connecting.then(() => this);
        connecting.then(callback as () => void, callback);
        return undefined;
      }
    };
  }

  /** What the driver needs to connect by `Client`. */
  get connectionString(): string {
    return this.#addresses[0] ?? "";
  }

  /** Makes a new connection ready for use. Throws if it must not be used; the caller ends it. */
  async prepare(client: pg.Client, settings: Settings): Promise<void> {
    const { processID } = client as Driven;
    const state = await this.#set(client, settings, processID);
    if (state.pid !== processID) {
      await this.#requireSessions();
      (client as Driven).processID = (await this.#set(client, settings, null)).pid;
    }
  }

  /** Throws if a connection does not lead to the session any more that was prepared, or changes are not accepted there. */
  async check(client: pg.ClientBase): Promise<void> {
    const { rows } = await client.query<State>(stateQuery);
    this.#require(client as pg.Client, rows[0]);
    if (rows[0]?.pid === (client as Driven).processID) return;
    this.#keepsSessions = null;
    this.#retire(client as pg.Client);
    throw new UnusableDatabase(changesSessions);
  }

  async #connect(client: pg.Client, open: () => Promise<unknown>): Promise<void> {
    const opened = { serial: ++this.#serial };
    if (this.#addresses.length > 1) {
      Object.assign(client, await this.#search());
    }
    withoutOptions(client);
    this.#open.set(client, opened);
    client.once("end", () => this.#open.delete(client));
    // What is in between may be another one now.
    client.once("error", () => {
      this.#keepsSessions = null;
    });
    (client as Driven).connection.on("errorMessage", ({ code }) => {
      if (code === READ_ONLY) this.#retire(client);
      if (code !== undefined && OTHER_SESSION.has(code)) {
        this.#keepsSessions = null;
        this.#retire(client);
      }
    });
    await open().catch((error: unknown) => {
      this.#open.delete(client);
      this.#found = null;
      throw error;
    });
  }

  /** Sets the settings if the backend is `pid`, or whatever it is, if that is null. */
  async #set(client: pg.Client, settings: Settings, pid: number | null): Promise<State> {
    const setting = client.query<State>(setQuery, [
      Object.keys(settings),
      Object.values(settings).map(String),
      pid,
    ]);
    const { rows } = await inTime(setting, ANSWER_TIMEOUT_MS, "Connection terminated: no answer");
    return this.#require(client, rows[0]);
  }

  #require(client: pg.Client, state: State | undefined): State {
    if (state && !state.isReadOnly) return state;
    this.#retire(client);
    throw new UnusableDatabase("it accepts no changes (a read-only standby?)", READ_ONLY);
  }

  /** Ends a connection that leads to the wrong server, or is no session, and all that are as old; newer ones may lead to another server already. */
  #retire(client: pg.Client): void {
    const { serial } = this.#open.get(client) ?? { serial: 0 };
    this.#found = null;
    for (const [other, opened] of this.#open) {
      if (opened.serial > serial) continue;
      this.#open.delete(other);
      // A new connection is ended by its caller, who learns the reason.
      if (other !== client) endSocket(other);
      else if (opened.serial > 0) setImmediate(() => endSocket(other));
    }
  }

  /** The first host, in their order, that accepts changes. */
  #search(): Promise<Address> {
    this.#found ??= this.#tryAll().catch((error: unknown) => {
      this.#found = null;
      throw error;
    });
    return this.#found;
  }

  async #tryAll(): Promise<Address> {
    const failures: Error[] = [];
    for (const connectionString of this.#addresses) {
      const client = raw(connectionString);
      try {
        await client.connect();
        const { rows } = await client.query<State>(stateQuery);
        if (rows[0]?.isReadOnly === false) return { host: client.host, port: client.port };
        failures.push(new UnusableDatabase("it accepts no changes", READ_ONLY));
      } catch (error) {
        failures.push(error as Error);
      } finally {
        void client.end().catch(() => undefined);
      }
    }
    const readOnly = failures.find((error) => error instanceof UnusableDatabase);
    const hosts = failures.map(({ message }, at) => `host ${at + 1}: ${message}`).join("; ");
    const { code = UNREACHABLE } = (readOnly ?? failures[0]) as { code?: string };
    throw new UnusableDatabase(`none of its hosts can be used (${hosts})`, code);
  }

  /** Once for each pooler: what it does to one connection, it does to all. */
  #requireSessions(): Promise<void> {
    this.#keepsSessions ??= this.#proveSessions().catch((error: unknown) => {
      this.#keepsSessions = null;
      throw error;
    });
    return this.#keepsSessions;
  }

  async #proveSessions(): Promise<void> {
    const address = await this.#found;
    const open = () => Object.assign(raw(this.connectionString), address);
    await proveSessions(open(), open());
  }
}

/** Settings of a connection by their names. */
export type Settings = Readonly<Record<string, string | number>>;

/** The database can't be used as it is, and the operator can change that. Counts as unavailable. */
class UnusableDatabase extends Error {
  override readonly name = "UnusableDatabase";
  readonly code: string;

  constructor(message: string, code = UNREACHABLE) {
    super(message);
    this.code = code;
  }
}

interface Address {
  host: string;
  port: number;
}

interface Opened {
  /** Grows with each connection. */
  serial: number;
}

interface State {
  /** The backend behind the connection. */
  pid: number;
  isReadOnly: boolean;
}

/** What the driver's client has besides what its types declare. */
type Driven = pg.Client & {
  /** Of the backend, as the start-up named it. A pooler names none of the backends that it uses. */
  processID: number;
  connectionParameters: { options: string | undefined };
  connection: { on(event: "errorMessage", listener: (error: { code?: string }) => void): void };
};

/** The SQLSTATE of a write to a server that is read-only. */
const READ_ONLY = "25006";
/** Of a prepared statement that does not exist, or exists already: it was prepared in another session. */
const OTHER_SESSION = new Set(["26000", "42P05"]);
/** Of a connection that could not be made. */
const UNREACHABLE = "08001";
const ANSWER_TIMEOUT_MS = 10_000;
/** For each of several hosts. */
const SEARCH_TIMEOUT_MS = 5_000;

const state = `pg_backend_pid() as pid,
  pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"`;
const stateQuery = `select ${state}`;
/**
 * Settings that this version of Postgres lacks are left out, and the one that it can't have on every system; a name with a dot is one
 * of ours.
 */
const setQuery = `select ${state}, (select count(set_config(name, value, false))
    from unnest($1::text[], $2::text[]) as wanted (name, value)
    where (name like '%.%' or current_setting(name, true) is not null)
      and (name <> 'client_connection_check_interval' or version() ~ 'linux')
      and coalesce(pg_backend_pid() = $3::int, true)) as count`;

const changesSessions =
  "a connection pooler is in between that changes the Postgres session from one transaction to the next (PgBouncer: pool_mode = transaction). Use the direct address of Postgres, or let the pooler use session mode";

function raw(connectionString: string): pg.Client {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: SEARCH_TIMEOUT_MS });
  client.on("error", () => undefined);
  return withoutOptions(client);
}

/** Start-up options of the environment (PGOPTIONS) are not ours, and poolers refuse any. */
function withoutOptions(client: pg.Client): pg.Client {
  (client as Driven).connectionParameters.options = undefined;
  return client;
}

/** Many: other clients of the pooler, which are served in between, may hide what it does. What is missed here is found by `check`. */
const ROUNDS = 10;
const POOLER_TIMEOUT_MS = 3_000;

/**
 * Proves that a connection through a pooler stays one session. While another connection is in a transaction, a statement must be
 * run by the same backend as the one before it; then a session lock must be held where it was taken.
 */
async function proveSessions(client: pg.Client, other: pg.Client): Promise<void> {
  const late = "Connection terminated: the connection pooler has no free connection to Postgres";
  const run = async (on: pg.Client, text: string) =>
    (await inTime(on.query<{ result: unknown }>(text), POOLER_TIMEOUT_MS, late)).rows[0]?.result;
  const pidOf = (on: pg.Client) => run(on, "select pg_backend_pid() as result");
  try {
    await Promise.all([client.connect(), other.connect()]);
    const pid = await pidOf(client);
    for (let round = 0; round < ROUNDS; round += 1) {
      // The pooler gives the backend that was free last to whoever comes next, which is to be the other connection, in each
      // round: after its rollback it would be given its own again, and the rounds would all show what the first one did.
      const isSame = (await pidOf(client)) === pid;
      await run(other, "begin");
      const isShared = !isSame || (await pidOf(other)) === pid;
      // One that waits for the transaction of the other has no session, either.
      const again = isShared ? null : await pidOf(client).catch(() => null);
      await run(other, "rollback");
      if (again !== pid) throw new UnusableDatabase(changesSessions);
    }
    const key = "hashtextextended('watchfloor ' || pg_backend_pid(), 0)";
    await run(client, `select pg_advisory_lock(${key}) as result`);
    const held = await run(client, `select pg_advisory_unlock(${key}) as result`);
    if (held !== true) throw new UnusableDatabase(changesSessions);
  } finally {
    for (const one of [client, other]) endSocket(one);
  }
}
