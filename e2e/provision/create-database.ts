import { randomBytes } from "node:crypto";
import { Pool } from "pg";

/** A database of a test's own. */
export interface TestDatabase {
  readonly url: string;
  /** As a superuser. */
  readonly adminUrl: string;
  readonly name: string;
  /** Ends its sessions and removes it. */
  drop(): Promise<void>;
}

const IDLE_CLOSED_AFTER_MS = 5_000;
const pools = new Map<string, Pool>();

/** Over a connection that is held for a while: to make one costs as much as half of a new database. */
async function maintain(serverUrl: string, statement: string): Promise<void> {
  await poolOf(serverUrl).query(statement);
}

function poolOf(serverUrl: string): Pool {
  const held = pools.get(serverUrl);
  if (held) return held;
  const idle = { idleTimeoutMillis: IDLE_CLOSED_AFTER_MS, allowExitOnIdle: true };
  const pool = new Pool({ connectionString: serverUrl, max: 2, ...idle });
  // A test's own server may be stopped while nobody uses the connection.
  pool.on("error", () => {});
  pools.set(serverUrl, pool);
  return pool;
}

export interface ServerUrls {
  /** As the role that owns the database. */
  url: string;
  /** As a superuser. */
  adminUrl: string;
}

/** Creates a database on a server, as a copy of `template` where given (a name; nobody may be in it). */
export async function createDatabase(
  server: ServerUrls,
  template?: string,
  name = `test_${randomBytes(6).toString("hex")}`,
): Promise<TestDatabase> {
  const { adminUrl } = server;
  const { username } = new URL(server.url);
  // Files are copied with less work than logged pages, as nothing waits for the disk here.
  const copied = template ? ` TEMPLATE "${template}" STRATEGY file_copy` : "";
  await maintain(adminUrl, `CREATE DATABASE ${name} OWNER ${username || "postgres"}${copied}`);
  const inside = (address: string) =>
    Object.assign(new URL(address), { pathname: `/${name}` }).href;
  const drop = () => maintain(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  return { url: inside(server.url), adminUrl: inside(adminUrl), name, drop };
}
