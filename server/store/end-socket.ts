import type pg from "pg";

/** Ends a connection without waiting for its other end, which may never answer. */
export function endSocket(client: pg.ClientBase): void {
  (
    client as unknown as { connection: { stream: { destroy(): void } } }
  ).connection.stream.destroy();
}
