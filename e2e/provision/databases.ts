import { inject } from "vitest";
import { createDatabase, type ServerUrls, type TestDatabase } from "./create-database.ts";
import { createFromTemplate, type Prepare } from "./database-templates.ts";
import type { PostgresKind } from "./postgres.ts";
import { isFullProof } from "./proof-size.ts";
import { runSeed } from "./test-seed.ts";

/**
 * For tests of the server: `describe.each(databases)("… on $name", ({ create }) => …)`. Both servers run for the
 * whole test run (global-setup.ts); each test takes a fresh database of its own.
 */
declare module "vitest" {
  interface ProvidedContext {
    postgresUrls: Record<PostgresKind, ServerUrls>;
    /** The system's Postgres over TCP, for tests with a faulty proxy between. */
    postgresTcp: ServerUrls;
    redisUrl: string;
  }
}

/** One of the Postgres servers that everything is tested on. */
export interface DatabaseKind {
  readonly name: string;
  readonly which: PostgresKind;
  /** A fresh database, by default empty and under a random name, or a copy of a template database. */
  create(template?: string, name?: string): Promise<TestDatabase>;
  /** A fresh database on which `prepare` was run, once for each name (database-templates.ts). */
  createPrepared(name: string, prepare: Prepare): Promise<TestDatabase>;
}

function kind(which: PostgresKind, name: string, server: () => ServerUrls): DatabaseKind {
  return {
    which,
    name,
    create: (template, database) => createDatabase(server(), template, database),
    createPrepared: (template, prepare) => createFromTemplate(server(), template, prepare),
  };
}

export const embeddedDatabase = kind(
  "embedded",
  "the embedded Postgres",
  () => inject("postgresUrls").embedded,
);

export const systemDatabase = kind(
  "system",
  "the system's Postgres",
  () => inject("postgresUrls").system,
);

/** For tests of what is written in SQL or depends on the version: both, in every run. */
export const bothDatabases: readonly DatabaseKind[] = [embeddedDatabase, systemDatabase];

/** For all other tests: one of them by the seed of the run. */
export const anyDatabase = runSeed % 2 === 0 ? embeddedDatabase : systemDatabase;

/** For tests that a proof runs on both, and other runs on one of them. */
export const databases: readonly DatabaseKind[] = isFullProof ? bothDatabases : [anyDatabase];

/** The system's Postgres by an address that a proxy can stand before. */
export const systemOverTcp = kind("system", "the system's Postgres over TCP", () =>
  inject("postgresTcp"),
);

/** The Redis that all tests share; a test that stops or flushes one starts its own (redis.ts). */
export function sharedRedisUrl(): string {
  return inject("redisUrl");
}
