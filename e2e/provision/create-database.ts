import { randomBytes } from "node:crypto";
import { Client } from "pg";

/** A database of a test's own. */
export interface TestDatabase {
  readonly url: string;
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

/** Creates a database on a server, as a copy of `template` where given (a name; nobody may be in it). */
export async function createDatabase(serverUrl: string, template?: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const copied = template ? ` TEMPLATE "${template}"` : "";
  await maintain(serverUrl, `CREATE DATABASE ${name}${copied}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const drop = () => maintain(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  return { url: url.href, name, drop };
}
