import type { Database } from "./database.ts";

/**
 * The turns and connections of reads (server/commands/reads.ts), for whatever reads records on behalf of a user: the other
 * connections are for everybody's sign-in.
 */
export interface ReadTurns {
  readonly database: Database;
  /** Runs a read when it is its user's turn. */
  run<Result>(by: { subject: { id: string } }, read: () => Promise<Result>): Promise<Result>;
}
