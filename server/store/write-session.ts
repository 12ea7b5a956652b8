import type pg from "pg";
import { runBatch } from "./batch.ts";
import type { Database } from "./database.ts";
import { type LoadedRows, type LoadRequest, loadForWrite } from "./load-for-write.ts";
import type { MutationRow } from "./mutations.ts";
import type { Statement } from "./prepared-text.ts";
import { sealedOf, sealStatements } from "./seal.ts";
import type { Sealed } from "./sealed-change.ts";
import { batchWrites, notesStatement, type RowWrite, writeStatement } from "./write-statements.ts";

const begin = { name: "begin", text: "begin isolation level read committed", values: [] };
const commit = { name: "commit", text: "commit", values: [] };

/**
 * The connection on which commands are committed: one transaction at a time, its statements sent
 * without waiting for each other, so that a group costs two round trips. After any error the transaction
 * must be rolled back by the caller.
 */
export class WriteSession {
  #client: pg.Client | null = null;
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Begins a transaction, locks the rows that the ops name and reads all that judging them needs. */
  async begin(request: LoadRequest): Promise<LoadedRows> {
    return loadForWrite(await this.#connected(), this.#database.kysely, request, [begin]);
  }

  /** Locks and reads within the transaction that is open. */
  async load(request: LoadRequest): Promise<LoadedRows> {
    return loadForWrite(this.#begun(), this.#database.kysely, request);
  }

  /** Writes rows within the open transaction, in their order. */
  async write(writes: readonly RowWrite[]): Promise<void> {
    await runBatch(this.#begun(), this.#statements(writes));
  }

  /** Writes, keeps the answers of the mutations, numbers the changes and commits: one round trip. */
  async finish(writes: readonly RowWrite[], mutations: readonly MutationRow[]): Promise<Sealed> {
    const last = sealStatements(mutations);
    const statements = [...this.#statements(writes), ...last, commit];
    const answers = await runBatch(this.#begun(), statements);
    return sealedOf(answers.at(-2)?.rows ?? []);
  }

  async savepoint(): Promise<void> {
    await this.#begun().query("savepoint op");
  }

  async rollbackToSavepoint(): Promise<void> {
    await this.#begun().query("rollback to savepoint op");
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

  /** The connection of the open transaction: what was lost with one is not gone on with on another. */
  #begun(): pg.Client {
    if (!this.#client) throw new Error("Connection terminated within a transaction");
    return this.#client;
  }

  async #connected(): Promise<pg.Client> {
    if (this.#client) return this.#client;
    const client = await this.#database.connect({ byKey: true, name: "watchfloor-writer" });
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
