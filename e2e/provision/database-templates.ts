import { Client } from "pg";
import { createDatabase, type ServerUrls, type TestDatabase } from "./create-database.ts";

/**
 * Databases that are prepared once in a test run and then copied, which takes a quarter of the work of
 * migrating and seeding one. Whichever worker needs a template first creates it; the others wait for it.
 */

/** Fills the database of a template. All its connections must be closed when it resolves. */
export type Prepare = (database: TestDatabase) => Promise<unknown>;

const ready = new Map<string, Promise<void>>();

/** Creates a copy of the template `name`, as if `prepare` had been run on a fresh database. */
export async function createFromTemplate(
  server: ServerUrls,
  name: string,
  prepare: Prepare,
): Promise<TestDatabase> {
  const template = `template_${name}`;
  const key = `${server.adminUrl} ${name}`;
  const made = ready.get(key) ?? ensureTemplate(server, template, prepare);
  ready.set(key, made);
  await made;
  const copy = await createDatabase(server, template);
  await query(copy.adminUrl, beAnotherInstallation);
  return copy;
}

/** Servers on copies may share a Redis; and a copy continues nobody's feeds. */
const beAnotherInstallation = `
  update watchfloor.installation set id = gen_random_uuid(),
    bus_key = replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  update watchfloor.feed set instance = watchfloor.instance() where instance is not null`;

/** A template is named when it is complete: a failed preparation is never copied. */
async function ensureTemplate(server: ServerUrls, name: string, prepare: Prepare): Promise<void> {
  const client = new Client({ connectionString: server.adminUrl });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock(hashtext($1))", [name]);
    const found = await client.query("select from pg_database where datname = $1", [name]);
    if (found.rowCount) return;
    const database = await createDatabase(server);
    await prepare(database);
    await client.query(`alter database ${database.name} rename to "${name}"`);
  } finally {
    await client.end();
  }
}

async function query(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(text).finally(() => client.end());
}
