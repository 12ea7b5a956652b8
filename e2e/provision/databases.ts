import { inject } from "vitest";
import { createDatabase, type ServerUrls, type TestDatabase } from "./create-database.ts";
import { createFromTemplate, type Prepare } from "./database-templates.ts";
import type { PostgresKind } from "./postgres.ts";

/**
 * For integration tests: `describe.each(databases)("… on $name", ({ create }) => …)`. Both servers run for the
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

/** The embedded Postgres and the system's. */
export const databases: readonly DatabaseKind[] = [
  kind("embedded", "the embedded Postgres", () => inject("postgresUrls").embedded),
  kind("system", "the system's Postgres", () => inject("postgresUrls").system),
];

/** The system's Postgres by an address that a proxy can stand before. */
export const systemOverTcp = kind("system", "the system's Postgres over TCP", () =>
  inject("postgresTcp"),
);

/** The Redis that all tests share; a test that stops or flushes one starts its own (redis.ts). */
export function sharedRedisUrl(): string {
  return inject("redisUrl");
}
