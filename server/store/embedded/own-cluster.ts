import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { EmbeddedLog } from "./cluster.ts";
import { DataFolderInUse } from "./postmaster.ts";

/**
 * One server per data folder, and the role that it has there. The running one holds a session advisory lock on a connection of
 * its own. The lock ends with its holder, so there is no stale lock to clean up, and of two that start at once one gets it.
 *
 * Everything except the creation of that role uses it: an ordinary role that owns the database and all in it, without the rights of a
 * superuser (reading files, running programs, loading code). The superuser creates it at the first start; the owner of the
 * database changes last, and so marks completion.
 */

const lockKey = 8_700_118;
const invalidCatalogName = "3D000";
/** It exists, or another server is creating it at this moment. */
const existsNow: ReadonlySet<string> = new Set(["42P04", "23505"]);
const applicationPrefix = "watchfloor server ";
const pollMs = 20;
/** The session of a killed server remains for a moment. */
const waitMs = 3_000;
/** How a server that was asked to stop ends its name. */
const stoppingMark = " stopping";
/** For a server that says that it stops; one that hangs in spite of its own time-out is not waited for. */
const stoppingWaitMs = 120_000;

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
    if (!existsNow.has((error as { code?: string }).code ?? "")) throw error;
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

/** Says to those that wait for the lock that its holder is about to release it. */
export async function announceStop(owner: Client): Promise<void> {
  await owner.query(`SET application_name = '${applicationPrefix}${process.pid}${stoppingMark}'`);
}

interface LockHolder {
  readonly pid: number | undefined;
  readonly isStopping: boolean;
}

/** Who holds the lock; undefined if it was released. */
async function holder(client: Client): Promise<LockHolder | undefined> {
  const { rows } = await client.query<{ name: string | null }>(
    `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.objid = $1 AND l.granted`,
    [lockKey],
  );
  if (!rows[0]) return undefined;
  const name = rows[0].name ?? "";
  const pid = Number.parseInt(name.slice(applicationPrefix.length), 10) || undefined;
  return { pid, isStopping: name.endsWith(stoppingMark) };
}

/** How `ownCluster` waits for the lock. */
export interface LockWait {
  readonly log: EmbeddedLog;
  /** Ends the waiting, with its reason. */
  readonly stopping?: AbortSignal | undefined;
  /** Whoever can work beside a server that runs learns of it at once. */
  readonly beside?: boolean | undefined;
}

/**
 * Connects, creates the database if it is missing, and takes the lock for as long as the result lives. A server that is stopping
 * is waited for; one that runs is a refusal.
 */
export async function ownCluster(url: string, dataDir: string, wait: LockWait): Promise<Client> {
  const client = await connectOrCreate(url);
  try {
    await takeLock(client, dataDir, wait);
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

async function takeLock(client: Client, dataDir: string, wait: LockWait): Promise<void> {
  let isAnnounced = false;
  for (let waited = 0; !(await tryLock(client)); waited += pollMs) {
    wait.stopping?.throwIfAborted();
    const current = wait.beside || waited >= waitMs ? await holder(client) : undefined;
    if (current) {
      const isAwaited = current.isStopping && waited < stoppingWaitMs && !wait.beside;
      if (!isAwaited) throw new DataFolderInUse(dataDir, current.pid);
      if (!isAnnounced) {
        const { pid } = current;
        wait.log.info(`Another Watchfloor server (process ${pid}) is stopping: waiting for it.`);
      }
      isAnnounced = true;
    }
    await sleep(pollMs);
  }
}

/** The role of the server. */
export const serverUser = "watchfloor_server";

/** Invalid password, or no such role; no such database. */
const notPrepared: ReadonlySet<string> = new Set(["28P01", "28000", "3D000"]);

/** Derived from the superuser's password, and not the other way round. */
export function serverPassword(superuserPassword: string): string {
  return createHmac("sha256", superuserPassword).update(serverUser).digest("hex");
}

/** Whether the role of this URL may sign in and owns the database. */
export async function isPrepared(url: string): Promise<boolean> {
  const client = await connectToOwn(url).catch((error: { code?: string }) => {
    if (notPrepared.has(error.code ?? "")) return null;
    throw error;
  });
  if (!client) return false;
  try {
    const { rows } = await client.query<{ owns: boolean }>(`
      select pg_get_userbyid(datdba) = current_user as owns
      from pg_database where datname = current_database()`);
    return rows[0]?.owns === true;
  } finally {
    await client.end();
  }
}

/** Creates the role and gives it the database, by a connection of the superuser. Safe to repeat. */
export async function prepareServerRole(superuser: Client, password: string): Promise<void> {
  await superuser.query("set search_path = pg_catalog");
  const { rows } = await superuser.query("select from pg_roles where rolname = $1", [serverUser]);
  if (rows.length === 0) await superuser.query(`create role ${serverUser}`);
  await superuser.query(
    `alter role ${serverUser} login password ${superuser.escapeLiteral(password)}`,
  );
  const database = superuser.escapeIdentifier(superuser.database ?? "");
  await superuser.query(`alter database ${database} owner to ${serverUser}`);
}
