import pg from "pg";
import type { Statement } from "./prepared-text.ts";

/** What the driver calls on a query in flight, besides what its types declare. */
interface Driven extends pg.Query {
  name: string;
  text: string;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
  handleReadyForQuery(connection: pg.Connection): void;
}

type DrivenConnection = pg.Connection & { submittedNamedStatements: Record<string, unknown> };

/**
 * Sends statements together and waits for all. Postgres is asked to answer (`Sync`) once, behind the last of
 * them: one packet each way, and no wake-ups in between. The first failure ends the batch; the statements
 * behind it are not run. The driver's own pipeline asks after each statement.
 */
export function runBatch(
  client: pg.Client,
  statements: readonly Statement[],
): Promise<pg.QueryResult[]> {
  return new Promise((resolve, reject) => {
    client.query(new Batch(client, statements, resolve, reject));
  });
}

/** Made of the driver's own queries, which encode and decode; only their end is decided here. */
class Batch implements pg.Submittable {
  readonly #queries: Driven[];
  readonly #results: pg.QueryResult[] = [];
  readonly #resolve: (results: pg.QueryResult[]) => void;
  readonly #reject: (error: Error) => void;
  #answered = 0;

  constructor(
    types: pg.CustomTypesConfig,
    statements: readonly Statement[],
    resolve: (results: pg.QueryResult[]) => void,
    reject: (error: Error) => void,
  ) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#queries = statements.map((statement) => {
      const config = { ...statement, types, queryMode: "extended" };
      return new pg.Query(config, (error, result) => {
        if (error) reject(error);
        else this.#results.push(result as pg.QueryResult);
      }) as Driven;
    });
  }

  /** The driver records under them what Postgres has prepared. */
  get name(): string | undefined {
    return this.#current?.name;
  }

  get text(): string | undefined {
    return this.#current?.text;
  }

  submit(connection: pg.Connection): void {
    const unsynced = Object.create(connection, { sync: { value: () => undefined } });
    connection.stream.cork();
    for (const query of this.#queries) query.submit(unsynced);
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription(message: unknown): void {
    this.#current?.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.#current?.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: pg.Connection): void {
    this.#current?.handleCommandComplete(message, connection);
    this.#answered += 1;
  }

  /** Statements behind the failure were not even prepared. */
  handleError(error: Error, connection: DrivenConnection): void {
    for (const { name } of this.#queries.slice(this.#answered)) {
      delete connection.submittedNamedStatements[name];
    }
    this.#reject(error);
  }

  handleReadyForQuery(connection: pg.Connection): void {
    for (const query of this.#queries) query.handleReadyForQuery(connection);
    this.#resolve(this.#results);
  }

  get #current(): Driven | undefined {
    return this.#queries[this.#answered];
  }
}
