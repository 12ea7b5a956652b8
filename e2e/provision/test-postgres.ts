/** A real Postgres for tests; empty but for what initdb makes. */
export interface TestPostgres {
  /** The maintenance database, as the role that servers run as. */
  readonly url: string;
  /** The same as a superuser: makes databases and removes them, and does what tests need beyond the product. */
  readonly adminUrl: string;
  /** The same over TCP on the loopback interface, for tests with a faulty proxy between. */
  readonly tcpUrl?: string;
  /** Stops it and removes its folder. */
  close(): Promise<void>;
}
