import { once } from "node:events";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import type pg from "pg";

/** COPY in its text format, in both directions, in constant memory. The session's next statement waits for it. */

/** What a COPY uses of the driver's connection; the driver's types don't have it. */
interface CopyConnection {
  stream: Socket;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

interface CommandComplete {
  text: string;
}

const BLOCK_BYTES = 262_144;

const rowCount = ({ text }: CommandComplete) => Number(text.split(" ")[1]);

/**
 * The rows that `COPY … TO STDOUT` sends, in blocks of whole rows. The connection is dropped if the reader stops
 * early: nothing else ends a COPY.
 */
export class CopyOut extends Readable {
  /** How many rows there were, once it has ended. */
  rows = 0;
  #connection: CopyConnection | null = null;
  #block = Buffer.allocUnsafe(BLOCK_BYTES);
  #used = 0;
  #isOver = false;
  readonly #statement: string;

  constructor(client: pg.Client, statement: string) {
    super({ objectMode: true, highWaterMark: 4 });
    this.#statement = statement;
    client.query(this as unknown as pg.Submittable);
  }

  submit(connection: CopyConnection): void {
    this.#connection = connection;
    connection.query(this.#statement);
  }

  /** The driver reuses the memory of a chunk. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.#used + chunk.length > this.#block.length) this.#pushBlock();
    if (chunk.length > this.#block.length) this.#pushOrPause(Buffer.from(chunk));
    else this.#used += chunk.copy(this.#block, this.#used);
  }

  handleCommandComplete(message: CommandComplete): void {
    this.rows = rowCount(message);
  }

  handleReadyForQuery(): void {
    this.#isOver = true;
    this.#pushBlock();
    this.#connection?.stream.resume();
    this.push(null);
  }

  handleError(error: Error): void {
    this.#isOver = true;
    this.destroy(error);
  }

  override _read(): void {
    this.#connection?.stream.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.#isOver) this.#connection?.stream.destroy();
    done(error);
  }

  #pushBlock(): void {
    if (this.#used === 0) return;
    this.#pushOrPause(Buffer.from(this.#block.subarray(0, this.#used)));
    this.#used = 0;
  }

  #pushOrPause(block: Buffer): void {
    if (!this.push(block)) this.#connection?.stream.pause();
  }
}

/** Runs `COPY … FROM STDIN` with the given bytes; returns the number of rows. Rejects with an error of `blocks`, too. */
export function copyIn(
  client: pg.Client,
  statement: string,
  blocks: AsyncIterable<Buffer>,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const over = new AbortController();
  let rows = 0;
  const send = async (connection: CopyConnection) => {
    const { stream } = connection;
    for await (const block of blocks) {
      if (over.signal.aborted) return;
      connection.sendCopyFromChunk(block);
      if (stream.writableNeedDrain) await once(stream, "drain", { signal: over.signal });
    }
    connection.endCopyFrom();
  };
  const copy = {
    submit: (connection: CopyConnection) => connection.query(statement),
    handleCopyInResponse(connection: CopyConnection) {
      send(connection).catch((error: unknown) => {
        reject(error);
        connection.sendCopyFail("The backup can't be read.");
      });
    },
    handleCommandComplete(message: CommandComplete) {
      rows = rowCount(message);
    },
    handleError(error: Error) {
      reject(error);
      over.abort();
    },
    handleReadyForQuery: () => resolve(rows),
  };
  client.query(copy as unknown as pg.Submittable);
  return promise;
}
