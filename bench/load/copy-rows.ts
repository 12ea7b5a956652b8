import type pg from "pg";

/** The messages of pg's connection that a COPY uses; they are not in its types. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Runs `COPY … FROM STDIN` with rows in its text format. */
export function copyRows(client: pg.Client, text: string, chunks: Iterable<Buffer>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let failure: Error | null = null;
  const copy = {
    submit: (connection: CopyConnection) => connection.query(text),
    handleCopyInResponse(connection: CopyConnection) {
      for (const chunk of chunks) connection.sendCopyFromChunk(chunk);
      connection.endCopyFrom();
    },
    handleCommandComplete() {},
    handleError(error: Error) {
      failure = error;
    },
    handleReadyForQuery: () => (failure ? reject(failure) : resolve()),
  };
  client.query(copy as unknown as pg.Submittable);
  return promise;
}
