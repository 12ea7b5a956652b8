import { readFile } from "node:fs/promises";
import { Client } from "pg";
import { readPostmasterFile } from "../../server/store/embedded/postmaster.ts";
import { startEmbeddedPostgres } from "../../server/store/embedded/start-embedded-postgres.ts";
import { cleanUpAtExit, killNow } from "./clean-up.ts";
import { startSystemPostgres } from "./system-postgres.ts";
import { tempFolder } from "./temp-folder.ts";
import type { TestPostgres } from "./test-postgres.ts";

/** The two kinds that everything must work on: the one we bring, and the machine's own (Debian 12: 15). */
export type PostgresKind = "embedded" | "system";

/**
 * Connections for a few pools in each test worker. Without fsync only a crash of the machine loses commits, which no test
 * causes: a killed Postgres loses none. Tests of the embedded Postgres and of kills start their own, with its settings.
 */
const settings = {
  max_connections: "200",
  fsync: "off",
  full_page_writes: "off",
  // What serves neither a test nor a short life: background work, compiling of statements, replication.
  autovacuum_naptime: "1d",
  jit: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  checkpoint_timeout: "1h",
};
/** Thousands of connections are made: each takes its client 1.6 ms of processor time instead of 2.4. */
const embeddedSettings = { ...settings, scram_iterations: "1" };

/** The address of an embedded database as its superuser. */
export async function embeddedAdminUrl(connection: string, dataDir: string): Promise<string> {
  const password = await readFile(`${dataDir}/postgres/data/watchfloor-password`, "utf8");
  const url = new URL(connection);
  url.username = "watchfloor";
  url.password = password.trim();
  return url.href;
}

/** Lets the role of the server write past the triggers, as tests and benches do. */
export async function grantToTests(connection: string, dataDir: string): Promise<void> {
  const { username } = new URL(connection);
  const client = new Client({ connectionString: await embeddedAdminUrl(connection, dataDir) });
  await client.connect();
  await client.query(`grant set on parameter session_replication_role to ${username}`);
  await client.end();
}

async function startEmbedded(): Promise<TestPostgres> {
  const folder = await tempFolder();
  const dataDir = `${folder.path}/data`;
  const log = { info: () => {}, warn: (message: string) => process.stderr.write(`${message}\n`) };
  const postgres = await startEmbeddedPostgres({ dataDir, log, settings: embeddedSettings });
  const postmaster = await readPostmasterFile(`${dataDir}/postgres/data`);
  const forget = cleanUpAtExit(() => killNow(postmaster?.pid));
  const url = new URL(postgres.connection);
  url.pathname = "/postgres";
  await grantToTests(url.href, dataDir);
  return {
    url: url.href,
    adminUrl: await embeddedAdminUrl(url.href, dataDir),
    close: async () => {
      await postgres.stop();
      forget();
      folder.drop();
    },
  };
}

/** Starts a Postgres of the test's own. */
export function startPostgres({ which }: { which: PostgresKind }): Promise<TestPostgres> {
  return which === "embedded" ? startEmbedded() : startSystemPostgres(settings);
}
