import type { Writable } from "node:stream";
import type pg from "pg";
import type { Database } from "./database.ts";
import { type LoadedRows, type LoadRequest, loadForWrite } from "./load-for-write.ts";
import type { MutationRow } from "./mutations.ts";
import type { Statement } from "./prepared-text.ts";
import { seal } from "./seal.ts";
import type { Sealed } from "./sealed-change.ts";
import { batchWrites, notesStatement, type RowWrite, writeStatement } from "./write-statements.ts";

/**
 * The connection on which commands are committed: one transaction at a time, its statements sent
 * without waiting for each other (pipelined), so that a group costs two round trips. After any error
 * the transaction must be rolled back by the caller.
 */
export class WriteSession {
  #client: pg.Client | null = null;
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Begins a transaction, locks the rows that the ops name and reads all that judging them needs. */
  async begin(request: LoadRequest): Promise<LoadedRows> {
    const client = await this.#connected();
    const sent = asOneWrite(client, () => [
      client.query("begin isolation level read committed"),
      this.#load(client, request),
    ]);
    const [, loaded] = await settleAll(sent);
    return loaded as LoadedRows;
  }

  /** Locks and reads within the transaction that is open. */
  async load(request: LoadRequest): Promise<LoadedRows> {
    return this.#load(await this.#connected(), request);
  }

  #load(client: pg.Client, request: LoadRequest): Promise<LoadedRows> {
    return loadForWrite(client, this.#database.kysely, request);
  }

  /** Writes rows within the open transaction, in their order. */
  async write(writes: readonly RowWrite[]): Promise<void> {
    const client = await this.#connected();
    await settleAll(this.#statements(writes).map((statement) => client.query(statement)));
  }

  /** Writes, keeps the answers of the mutations, numbers the changes and commits: one round trip. */
  async finish(writes: readonly RowWrite[], mutations: readonly MutationRow[]): Promise<Sealed> {
    const client = await this.#connected();
    const { written, last, committed } = asOneWrite(client, () => ({
      written: this.#statements(writes).map((statement) => client.query(statement)),
      last: seal(client, mutations),
      committed: client.query("commit"),
    }));
    await settleAll([...written, ...last.sent, last.sealed, committed]);
    return last.sealed;
  }

  async savepoint(): Promise<void> {
    await (await this.#connected()).query("savepoint op");
  }

  async rollbackToSavepoint(): Promise<void> {
    await (await this.#connected()).query("rollback to savepoint op");
  }

  /** Ends the open transaction without effect. A broken connection is dropped and made anew later. */
  async rollback(): Promise<void> {
    try {
      await this.#client?.query("rollback");
    } catch {
      this.#drop();
    }
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    await client?.end();
  }

  #statements(writes: readonly RowWrite[]): Statement[] {
    return batchWrites(writes).flatMap((batch) => [
      notesStatement(batch),
      writeStatement(this.#database.kysely, batch),
    ]);
  }

  async #connected(): Promise<pg.Client> {
    if (this.#client) return this.#client;
    const client = await this.#database.connect({
      pipeline: true,
      byKey: true,
      name: "watchfloor-writer",
    });
    client.once("end", () => {
      if (this.#client === client) this.#client = null;
    });
    client.once("error", () => this.#drop());
    this.#client = client;
    return client;
  }

  #drop(): void {
    const client = this.#client;
    this.#client = null;
    client?.end().catch(() => {});
  }
}

/**
 * Sends everything that `send` queries with one write, so that Postgres reads it at once: a system
 * call for each of a dozen small statements costs as much as some of them.
 */
function asOneWrite<T>(client: pg.Client, send: () => T): T {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

/**
 * Waits for all that was sent, then throws the first failure: the later ones only say that the
 * transaction is aborted.
 */
async function settleAll(sent: Promise<unknown>[]): Promise<unknown[]> {
  const results = await Promise.allSettled(sent);
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value);
}
