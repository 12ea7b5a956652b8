import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";

/**
 * One server per data folder: the running one holds a session advisory lock on a connection of its own. The
 * lock ends with its holder, so there is no stale lock to clean up, and of two that start at once one gets
 * it.
 */

/** Thrown if another server works on the same data folder. */
export class DataFolderInUse extends Error {
  /** The explanation in one sentence. */
  constructor(dataDir: string, pid: number | undefined) {
    const holderText = pid ? ` (process ${pid})` : "";
    super(
      `Another Watchfloor server${holderText} is already running on ${dataDir}: stop it first, or set DATA_DIR to another folder.`,
    );
    this.name = "DataFolderInUse";
  }
}

/** Thrown if the data folder is a copy of one whose Postgres runs. */
export class DataFolderCopied extends Error {
  /** The explanation, and what to do. `data` is the folder of the copied cluster. */
  constructor(dataDir: string, data: string, original: { dataFolder: string; pid: number }) {
    super(
      `${dataDir} is a copy of a folder whose Postgres is running (${original.dataFolder}, process ${original.pid}). A copy that was made meanwhile may be damaged. Stop that server and copy the folder again, or use "watchfloor backup" and "watchfloor restore". If the copy is a snapshot of a single moment, delete ${join(data, "postmaster.pid")} and start again.`,
    );
    this.name = "DataFolderCopied";
  }
}

const lockKey = 8_700_118;
const invalidCatalogName = "3D000";
const duplicateDatabase = "42P04";
const applicationPrefix = "watchfloor server ";
const pollMs = 20;
/** Waits for a stopping server; the session of a killed one also remains for a moment. */
const waitMs = 3_000;

/** A connection to the cluster that identifies a server. */
export async function connectToOwn(url: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    application_name: `${applicationPrefix}${process.pid}`,
    // Explicit, so that another program's PGOPTIONS are not used.
    options: "-c search_path=public",
  });
  client.on("error", () => {});
  await client.connect();
  return client;
}

async function createDatabase(url: string): Promise<void> {
  const target = new URL(url);
  const name = target.pathname.slice(1);
  target.pathname = "/postgres";
  const client = await connectToOwn(target.href);
  try {
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } catch (error) {
    if ((error as { code?: string }).code !== duplicateDatabase) throw error;
  } finally {
    await client.end();
  }
}

async function connectOrCreate(url: string): Promise<Client> {
  try {
    return await connectToOwn(url);
  } catch (error) {
    if ((error as { code?: string }).code !== invalidCatalogName) throw error;
    await createDatabase(url);
    return connectToOwn(url);
  }
}

/** Takes the lock of the server that works on this cluster; false if one does. */
export async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ got: boolean }>("SELECT pg_try_advisory_lock($1) AS got", [
    lockKey,
  ]);
  return rows[0]?.got === true;
}

async function holder(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.objid = $1 AND l.granted`,
    [lockKey],
  );
  return Number(rows[0]?.name.slice(applicationPrefix.length)) || undefined;
}

/**
 * Connects, creates the database if it is missing, and takes the lock for as long as the result lives. With `beside`, whoever
 * can work beside a server that runs learns of it at once.
 */
export async function ownCluster(url: string, dataDir: string, beside = false): Promise<Client> {
  const client = await connectOrCreate(url);
  for (let waited = 0; ; waited += pollMs) {
    if (await tryLock(client)) return client;
    if (beside || waited >= waitMs) {
      const pid = await holder(client);
      await client.end();
      throw new DataFolderInUse(dataDir, pid);
    }
    await sleep(pollMs);
  }
}
