import type pg from "pg";
import type { Statement } from "./prepared-text.ts";

/**
 * So many statements stay prepared on a connection, those that were used last. Each takes memory of its backend, and there are as
 * many as sets of fields that are written together.
 */
export const PREPARED_MAX = 200;

/** The rows of one statement: objects by column, or arrays if it says so. */
export interface BatchResult {
  rows: unknown[];
  /** The rows that the statement wrote or returned. */
  count: number;
}

/** A result's columns, and how their text is parsed. */
type Shape = { name: string; parse: (text: string) => unknown }[];

/** What the driver has of a connection, besides what its types declare. */
interface DrivenConnection extends pg.Connection {
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
  close(statement: { type: "S"; name: string }): void;
}

type Row = Record<string, unknown>;

/**
 * The prepared statements of a connection, the one that was used longest ago first, with their results: Postgres describes
 * each once per connection. Null until it has.
 */
const preparedOn = new WeakMap<pg.Connection, Map<string, Shape | null>>();

/**
 * Sends statements together and waits for all. Postgres is asked to answer (`Sync`) once, behind the last of
 * them: one packet each way, and no wake-ups in between. The first failure ends the batch; the statements
 * behind it are not run. The driver's own pipeline asks after each statement, and its queries ask for the description
 * of a prepared statement's result each time.
 */
export function runBatch(
  client: pg.Client,
  statements: readonly Statement[],
): Promise<BatchResult[]> {
  return new Promise((resolve, reject) => {
    client.query(new Batch(client, statements, resolve, reject));
  });
}

class Batch implements pg.Submittable {
  readonly #types: pg.CustomTypesConfig;
  readonly #statements: readonly Statement[];
  readonly #resolve: (results: BatchResult[]) => void;
  readonly #reject: (error: Error) => void;
  readonly #results: BatchResult[] = [];
  #prepared = new Map<string, Shape | null>();
  /** Of the statement that is being answered; null until it is known. */
  #shape: Shape | null = null;
  #rows: unknown[] = [];
  #failure: Error | null = null;

  constructor(
    types: pg.CustomTypesConfig,
    statements: readonly Statement[],
    resolve: (results: BatchResult[]) => void,
    reject: (error: Error) => void,
  ) {
    this.#types = types;
    this.#statements = statements;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** The driver records under them what Postgres has prepared. */
  get name(): string | undefined {
    return this.#current?.name;
  }

  get text(): string | undefined {
    return this.#current?.text;
  }

  submit(connection: pg.Connection): void {
    this.#prepared = preparedOn.get(connection) ?? new Map();
    preparedOn.set(connection, this.#prepared);
    this.#shape = this.#knownShape();
    connection.stream.cork();
    this.#closeOldest(connection as DrivenConnection);
    for (const statement of this.#statements) this.#send(connection as DrivenConnection, statement);
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#shape = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: this.#types.getTypeParser(dataTypeID, "text"),
    }));
  }

  /** Runs for every row: plain loops cost half of iterators. */
  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const shape = this.#shape ?? [];
    const cells: unknown[] = [];
    try {
      for (let index = 0; index < shape.length; index += 1) {
        const text = fields[index] ?? null;
        cells.push(text === null ? null : shape[index]?.parse(text));
      }
      this.#rows.push(this.#current?.asArrays ? cells : toRow(shape, cells));
    } catch (error) {
      this.#failure ??= error as Error;
    }
  }

  handleCommandComplete({ text = "" }: { text?: string }): void {
    const name = this.#current?.name;
    if (name !== undefined) this.#prepared.set(name, this.#shape ?? []);
    this.#results.push({ rows: this.#rows, count: Number(/\d+$/.exec(text)?.[0] ?? 0) });
    this.#rows = [];
    this.#shape = this.#knownShape();
  }

  /** Statements behind the failure were not even prepared. */
  handleError(error: Error, connection: DrivenConnection): void {
    for (const { name } of this.#statements.slice(this.#results.length)) {
      if (name !== undefined) delete connection.submittedNamedStatements[name];
    }
    this.#reject(error);
  }

  handleReadyForQuery(): void {
    if (this.#failure) this.#reject(this.#failure);
    else this.#resolve(this.#results);
  }

  get #current(): Statement | undefined {
    return this.#statements[this.#results.length];
  }

  #knownShape(): Shape | null {
    const name = this.#current?.name;
    return name === undefined ? null : (this.#prepared.get(name) ?? null);
  }

  /** Before all else: a failure of a statement would leave out what is behind it. One that is needed again is prepared again. */
  #closeOldest(connection: DrivenConnection): void {
    for (const name of this.#prepared.keys()) {
      if (this.#prepared.size <= PREPARED_MAX) return;
      this.#prepared.delete(name);
      delete connection.parsedStatements[name];
      delete connection.submittedNamedStatements[name];
      connection.close({ type: "S", name });
    }
  }

  #send(connection: DrivenConnection, { name = "", text, values }: Statement): void {
    const { parsedStatements: parsed, submittedNamedStatements: submitted } = connection;
    if (name === "" || (parsed[name] === undefined && submitted[name] === undefined)) {
      connection.parse({ name, text, types: [] }, true);
      if (name !== "") submitted[name] = text;
    }
    connection.bind({ statement: name, values: values.map(toParameter) }, true);
    const shape = this.#prepared.get(name) ?? null;
    if (name !== "") {
      this.#prepared.delete(name);
      this.#prepared.set(name, shape);
    }
    if (!shape) connection.describe({ type: "P", name: "" }, true);
    connection.execute({ portal: "", rows: "" }, true);
  }
}

function toRow(shape: Shape, cells: readonly unknown[]): Row {
  const row: Row = {};
  for (let index = 0; index < cells.length; index += 1) {
    row[shape[index]?.name ?? ""] = cells[index];
  }
  return row;
}

/** A parameter as Postgres reads it. */
function toParameter(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return toArray(value);
  if (typeof value === "object") throw new TypeError("A parameter can't be an object.");
  return String(value);
}

const needsEscape = /["\\]/;

/** Runs for every value that is written: a loop costs half of `map` and `join`. */
function toArray(items: readonly unknown[]): string {
  let array = "{";
  for (let index = 0; index < items.length; index += 1) {
    if (index > 0) array += ",";
    const text = toParameter(items[index]);
    array += text === null ? "NULL" : `"${needsEscape.test(text) ? escaped(text) : text}"`;
  }
  return `${array}}`;
}

const escaped = (text: string) => text.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
