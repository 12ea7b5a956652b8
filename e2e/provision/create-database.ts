import { randomBytes } from "node:crypto";
import { Client } from "pg";

/** A database of a test's own. */
export interface TestDatabase {
  readonly url: string;
  /** As a superuser. */
  readonly adminUrl: string;
  readonly name: string;
  /** Ends its sessions and removes it. */
  drop(): Promise<void>;
}

async function maintain(serverUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
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
  const copied = template ? ` TEMPLATE "${template}"` : "";
  await maintain(adminUrl, `CREATE DATABASE ${name} OWNER ${username || "postgres"}${copied}`);
  const inside = (address: string) =>
    Object.assign(new URL(address), { pathname: `/${name}` }).href;
  const drop = () => maintain(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  return { url: inside(server.url), adminUrl: inside(adminUrl), name, drop };
}
