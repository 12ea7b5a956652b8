import type pg from "pg";
import type { Database } from "./database.ts";
import { endSocket } from "./end-socket.ts";
import { inTime } from "./in-time.ts";
import type { LeaderLock, Lease } from "./leadership.ts";

/**
 * The lock of a leader (the relay, the tiles) or of preparing the database (start): a session advisory lock
 * on a connection of its own, so that Postgres releases it the moment that the holder's process or connection
 * dies. The holder checks its connection from time to time, so that it notices as well.
 */

const lockKeys = { relay: 7_244_801, tiles: 7_244_802, start: 7_244_803 } as const;
const CHECK_INTERVAL_MS = 2_000;
const CHECK_TIMEOUT_MS = 4_000;

export class AdvisoryLock implements LeaderLock {
  readonly #database: Database;
  readonly #of: keyof typeof lockKeys;
  #candidate: pg.Client | null = null;

  constructor(database: Database, of: keyof typeof lockKeys = "relay") {
    this.#database = database;
    this.#of = of;
  }

  /** Null: another server holds it. The connection is reused for the next try. */
  async tryAcquire(): Promise<Lease | null> {
    const client = await this.#connection();
    if (!(await this.#tryLock(client))) return null;
    this.#candidate = null;
    return hold(client, this.#database);
  }

  /** Stops being a candidate; a lease lives until it is released. */
  async close(): Promise<void> {
    const client = this.#candidate;
    this.#candidate = null;
    if (client) await answer(client.end()).catch(() => endSocket(client));
  }

  /** A connection that does not answer is abandoned: Postgres releases its locks. */
  async #tryLock(client: pg.Client): Promise<boolean> {
    const lockQuery = client.query<{ got: boolean }>({
      text: "select pg_try_advisory_lock($1) as got",
      values: [lockKeys[this.#of]],
    });
    const { rows } = await answer(lockQuery).catch((error: unknown) => {
      this.#candidate = null;
      endSocket(client);
      throw error;
    });
    return rows[0]?.got === true;
  }

  async #connection(): Promise<pg.Client> {
    if (this.#candidate) return this.#candidate;
    const client = await this.#database.connect({ name: `watchfloor ${this.#of}` });
    const forget = () => {
      if (this.#candidate === client) this.#candidate = null;
    };
    client.on("end", forget).on("error", forget);
    this.#candidate = client;
    return client;
  }
}

function hold(client: pg.Client, database: Database): Lease {
  const { promise: lost, resolve: lose } = Promise.withResolvers<void>();
  client.on("end", lose).on("error", () => lose());
  const checking = setInterval(() => {
    answer(database.check(client)).catch(() => lose());
  }, CHECK_INTERVAL_MS);
  void lost.then(() => clearInterval(checking));
  return {
    lost,
    release: async () => {
      clearInterval(checking);
      await answer(client.end()).catch(() => endSocket(client));
    },
  };
}

const answer = <T>(work: Promise<T>) => inTime(work, CHECK_TIMEOUT_MS, "no answer");
