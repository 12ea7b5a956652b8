/** A real Postgres for tests, with fsync as in earnest; empty but for what initdb makes. */
export interface TestPostgres {
  /** The maintenance database of a superuser, over a Unix socket. */
  readonly url: string;
  /** The same over TCP on the loopback interface, for tests that put a faulty line between. */
  readonly tcpUrl?: string;
  /** Stops it and removes its folder. */
  close(): Promise<void>;
}
