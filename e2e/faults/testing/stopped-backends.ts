import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** The connections of a server to Postgres, by what they are for. */
export const backendNames = [
  "watchfloor-writer",
  "watchfloor",
  "watchfloor relay",
  "watchfloor tiles",
  "watchfloor listener",
] as const;
export type BackendName = (typeof backendNames)[number];

/** Reading what a backend does takes no longer, unless a stopped one holds what every reader needs. */
const LOCKED_MS = 500;

/** Stops, ends and locks out the backends of a server under test, from outside. */
export class Backends implements AsyncDisposable {
  readonly #admin: pg.Client;
  readonly #stopped = new Set<number>();

  private constructor(admin: pg.Client) {
    this.#admin = admin;
  }

  static async of(url: string): Promise<Backends> {
    const admin = new pg.Client({ connectionString: url, application_name: "admin" });
    await admin.connect();
    return new Backends(admin);
  }

  async pids(name: BackendName): Promise<number[]> {
    const { rows } = await this.#admin.query<{ pid: number }>(
      `select pid from pg_stat_activity
       where application_name = $1 and datname = current_database()`,
      [name],
    );
    return rows.map(({ pid }) => pid);
  }

  /**
   * Stops them (SIGSTOP): their connections stay open and answer nothing. Each is stopped while it waits for
   * its client, also within a transaction: one that was stopped in the middle of a commit may hold a lock
   * that every other backend needs, and no server could answer anything.
   */
  async stop(name: BackendName): Promise<number> {
    const pids = await this.pids(name);
    for (const pid of pids) {
      process.kill(pid, "SIGSTOP");
      while (!(await this.#waitsForClient(pid))) {
        process.kill(pid, "SIGCONT");
        await sleep(1);
        process.kill(pid, "SIGSTOP");
      }
      this.#stopped.add(pid);
    }
    return pids.length;
  }

  /** Whether a stopped backend is between two statements, or gone; false where not even that can be read. */
  async #waitsForClient(pid: number): Promise<boolean> {
    const asked = this.query<{ waits: boolean }>(
      "select wait_event is not distinct from 'ClientRead' as waits from pg_stat_activity where pid = $1",
      [pid],
    );
    const silent = sleep(LOCKED_MS).then(() => null);
    const rows = await Promise.race([asked, silent]);
    if (rows) return rows.every(({ waits }) => waits);
    process.kill(pid, "SIGCONT");
    await asked;
    return false;
  }

  /** Resumes them; those that were asked to end meanwhile do. */
  resume(): void {
    for (const pid of this.#stopped) process.kill(pid, "SIGCONT");
    this.#stopped.clear();
  }

  /** Stops and resumes them over and over for a while: each answers late. */
  async delay(name: BackendName, forMs: number): Promise<void> {
    for (const end = performance.now() + forMs; performance.now() < end; await sleep(100)) {
      await this.stop(name);
      await sleep(200);
      this.resume();
    }
  }

  async end(name: BackendName): Promise<void> {
    for (const pid of await this.pids(name)) {
      await this.#admin.query("select pg_terminate_backend($1)", [pid]);
    }
  }

  /** Holds the locks of a statement until the returned function is called. */
  async lock(statement: string): Promise<() => Promise<void>> {
    await this.#admin.query("begin");
    await this.#admin.query(statement);
    return async () => {
      await this.#admin.query("rollback");
    };
  }

  async query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.#admin.query(text, values)).rows as Row[];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.resume();
    await this.#admin.end();
  }
}
