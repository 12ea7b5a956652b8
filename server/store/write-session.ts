import type pg from "pg";
import { type BatchResult, runBatch } from "./batch.ts";
import type { Queryable } from "./change-history.ts";
import type { Database } from "./database.ts";
import { endSocket } from "./end-socket.ts";
import { finalizedOf, finalizeStatements, type ReturnedRow } from "./finalize.ts";
import type { Finalized } from "./finalized-change.ts";
import { quoted } from "./identifiers.ts";
import { type LoadedRows, type LoadRequest, loadForWrite } from "./load-for-write.ts";
import type { MutationRow } from "./mutations.ts";
import type { Statement } from "./prepared-text.ts";
import { countOnStatements } from "./taken-numbers.ts";
import { batchWrites, type RowWrite, writeStatement } from "./write-statements.ts";

const begin = { name: "begin", text: "begin isolation level read committed", values: [] };
const commit = { name: "commit", text: "commit", values: [] };
/** A backend that does not answer for this long is abandoned. */
const ANSWER_TIMEOUT_MS = 10_000;
/** A backend that does not answer for this long is not ready. */
const READY_TIMEOUT_MS = 2_000;
/** Postgres waits longer for a server than the server for Postgres: in a pause it may be evaluating a group. */
const PAUSES = 2;
const APPLICATION = "watchfloor-writer";
/** Abandoned backends that Postgres has not ended yet; each is a connection that nobody else gets. */
const ABANDONED_MAX = 2;

interface WriteSessionOptions {
  /** How long a statement waits for a lock of another transaction. */
  lockTimeoutMs: number;
  answerTimeoutMs?: number;
}

/**
 * The connection on which commands are committed: one transaction at a time, its statements sent without
 * waiting for each other, so that a group costs two round trips. After any error the caller must roll back
 * the transaction. A connection that does not answer in time is destroyed: the call fails as if the
 * connection had been lost, and the next one opens another.
 */
export class WriteSession implements Queryable {
  #client: pg.Client | null = null;
  /** Calls that come while it connects use the same connection. */
  #connecting: Promise<pg.Client> | null = null;
  /** The connection on which the open transaction began. */
  #transaction: pg.Client | null = null;
  readonly #database: Database;
  readonly #options: Required<WriteSessionOptions>;
  /** When each unanswered call was sent, the oldest first. */
  readonly #unanswered = new Map<NodeJS.Timeout, number>();
  #abandoned: number[] = [];
  /** The connection that Postgres was asked to cancel a statement of, and has not answered yet. */
  #cancelling: pg.Client | null = null;

  constructor(database: Database, options: WriteSessionOptions) {
    this.#database = database;
    this.#options = { answerTimeoutMs: ANSWER_TIMEOUT_MS, ...options };
  }

  /**
   * Begins a transaction, locks the rows that the ops name and reads everything that their evaluation needs. A late
   * cancellation would hit it, too, so it begins on another connection than one that is still to be cancelled.
   */
  async begin(request: LoadRequest): Promise<LoadedRows> {
    if (this.#cancelling) this.#drop(this.#cancelling);
    const client = await this.#connected();
    this.#transaction = client;
    return this.#inTime(client, loadForWrite(client, this.#database.kysely, request, [begin]));
  }

  /** Locks and reads within the open transaction. */
  async load(request: LoadRequest): Promise<LoadedRows> {
    const client = this.#transactionClient();
    return this.#inTime(client, loadForWrite(client, this.#database.kysely, request));
  }

  /** Writes rows within the open transaction, in their order. False if the database left some of them out (`isWhole`). */
  async write(writes: readonly RowWrite[]): Promise<boolean> {
    const batches = batchWrites(writes);
    return isWhole(batches, await this.#run(this.#statements(batches)));
  }

  /** Reads within the open transaction. */
  async query<Row>(text: string, values: unknown[]): Promise<{ rows: Row[] }> {
    const [result] = await this.#run([{ text, values }]);
    return { rows: (result?.rows ?? []) as Row[] };
  }

  /** The trigger of a table that runs one of these functions; null if none does. */
  async triggerOf(table: string, functions: readonly string[]): Promise<string | null> {
    const { rows } = await this.query<{ name: string }>(
      `select tgname as name from pg_trigger where tgrelid = to_regclass($1)
       and tgfoid::regprocedure::text = any($2::text[]) order by tgname limit 1`,
      [quoted(table), functions],
    );
    return rows[0]?.name ?? null;
  }

  /** Writes, stores the answers of the mutations, numbers the changes and commits: one round trip. */
  async finish(writes: readonly RowWrite[], mutations: readonly MutationRow[]): Promise<Finalized> {
    const last = finalizeStatements(mutations);
    const batches = batchWrites(writes);
    const answers = await this.#run([...this.#statements(batches), ...last, commit]);
    this.#transaction = null;
    const finalized = finalizedOf((answers.at(-2)?.rows ?? []) as ReturnedRow[]);
    return { ...finalized, isWhole: isWhole(batches, answers) };
  }

  async savepoint(): Promise<void> {
    await this.#run([{ text: "savepoint op", values: [] }]);
  }

  async releaseSavepoint(): Promise<void> {
    await this.#run([{ text: "release savepoint op", values: [] }]);
  }

  /** Rolls back to the savepoint, and releases it. */
  async rollbackToSavepoint(): Promise<void> {
    const undo = { text: "rollback to savepoint op", values: [] };
    await this.#run([undo, { text: "release savepoint op", values: [] }]);
  }

  /** Rolls back the open transaction. A broken connection is dropped and replaced later. */
  async rollback(): Promise<void> {
    const client = this.#client;
    this.#transaction = null;
    if (!client) return;
    try {
      await this.#inTime(client, client.query("rollback"));
    } catch {
      this.#drop(client);
    }
  }

  /** The connection that it holds, if any. After `rollback` it holds another one, or none, if that was lost. */
  get connection(): object | null {
    return this.#client;
  }

  /** Cancels the statement that runs on the connection, if any; its call fails. */
  cancel(): void {
    const client = this.#transaction;
    const { processID } = (client ?? {}) as { processID?: number };
    if (processID === undefined || this.#cancelling === client) return;
    this.#cancelling = client;
    const sent = () => {
      if (this.#cancelling === client) this.#cancelling = null;
    };
    this.#database.pool.query("select pg_cancel_backend($1)", [processID]).then(sent, sent);
  }

  /** Whether the connection answers and accepts changes, and calls on it do not wait too long. */
  async isReady(): Promise<boolean> {
    const [oldest] = this.#unanswered.values();
    if (oldest !== undefined) return performance.now() - oldest < READY_TIMEOUT_MS;
    const client = await this.#connected();
    await this.#inTime(client, this.#database.check(client));
    return true;
  }

  async close(): Promise<void> {
    await this.#connecting?.catch(() => undefined);
    const client = this.#client;
    this.#client = null;
    if (client) await this.#inTime(client, client.end());
  }

  /** One for each batch, then those that count on behind the numbers they were given. */
  #statements(batches: readonly RowWrite[][]): Statement[] {
    return [
      ...batches.map((batch) => writeStatement(this.#database.kysely, batch)),
      ...batches.flatMap(countOnStatements),
    ];
  }

  #run(statements: readonly Statement[]): Promise<BatchResult[]> {
    const client = this.#transactionClient();
    return this.#inTime(client, runBatch(client, statements));
  }

  /** Destroys the connection if `work` on it takes too long; `work` then fails as on a lost one. */
  async #inTime<Result>(client: pg.Client, work: Promise<Result>): Promise<Result> {
    const late = setTimeout(() => this.#giveUp(client), this.#options.answerTimeoutMs);
    this.#unanswered.set(late, performance.now());
    try {
      return await work;
    } finally {
      clearTimeout(late);
      this.#unanswered.delete(late);
    }
  }

  /** The backend may still hold locks: Postgres is asked to end it. */
  #giveUp(client: pg.Client): void {
    const { processID } = client as pg.Client & { processID?: number };
    endSocket(client);
    this.#drop(client);
    if (processID !== undefined) this.#abandoned.push(processID);
    this.#database.pool
      .query(
        "select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and application_name = $2",
        [processID ?? 0, APPLICATION],
      )
      .catch(() => undefined);
  }

  /** The connection of the open transaction: a transaction never continues on another one. */
  #transactionClient(): pg.Client {
    if (this.#transaction && this.#transaction === this.#client) return this.#transaction;
    throw new Error("Connection terminated within a transaction");
  }

  /** A Postgres that can't end a backend (its disk may hang) would use up the next ones, too. */
  async #requireFewAbandoned(): Promise<void> {
    if (this.#abandoned.length < ABANDONED_MAX) return;
    const { rows } = await this.#database.pool.query<{ pid: number }>(
      "select pid from pg_stat_activity where pid = any($1) and application_name = $2",
      [this.#abandoned, APPLICATION],
    );
    this.#abandoned = rows.map(({ pid }) => pid);
    if (this.#abandoned.length < ABANDONED_MAX) return;
    throw new Error("Connection terminated, and Postgres has not ended those before it");
  }

  async #connected(): Promise<pg.Client> {
    if (this.#client) return this.#client;
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  async #connect(): Promise<pg.Client> {
    await this.#requireFewAbandoned();
    const { lockTimeoutMs, answerTimeoutMs } = this.#options;
    const client = await this.#database.connect({
      byKey: true,
      announcesItself: true,
      name: APPLICATION,
      lockTimeoutMs,
      transactionIdleMs: PAUSES * answerTimeoutMs,
    });
    client.once("end", () => {
      if (this.#client === client) this.#client = null;
    });
    client.once("error", () => this.#drop(client));
    this.#client = client;
    return client;
  }

  #drop(client: pg.Client): void {
    if (this.#client === client) this.#client = null;
    client.end().catch(() => undefined);
  }
}

/**
 * Whether the database wrote every row that was to be inserted or updated: a trigger of another program may leave one out, without an
 * error. A row to be deleted may be gone by then, with another one that it referenced.
 */
function isWhole(batches: readonly RowWrite[][], results: readonly BatchResult[]): boolean {
  return batches.every(
    (batch, at) => batch[0]?.kind === "delete" || (results[at]?.count ?? 0) >= batch.length,
  );
}
