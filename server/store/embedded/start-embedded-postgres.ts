import { type ChildProcess, spawn } from "node:child_process";
import { rename, rm, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Client } from "pg";
import { isUnavailable } from "../is-unavailable.ts";
import {
  type Cluster,
  clusterFolders,
  type EmbeddedLog,
  initCluster,
  superuser,
} from "./cluster.ts";
import {
  announceStop,
  isPrepared,
  ownCluster,
  prepareServerRole,
  serverPassword,
  serverUser,
} from "./own-cluster.ts";
import {
  DataFolderInUse,
  ensurePostmaster,
  type Postmaster,
  stopPostmaster,
} from "./postmaster.ts";
import { chooseRunAs, EmbeddedRefusal } from "./run-postgres.ts";

/** How long the embedded Postgres of a killed server waits for another server. */
const EMBEDDED_ORPHAN_GRACE_MS = 30_000;

/**
 * The embedded Postgres: found or created in a data folder, started or adopted, supervised until `stop()`,
 * and used by one server at a time.
 */
export interface EmbeddedPostgres {
  /** A connection URL, also written to DATA_DIR/postgres/connection for other programs. */
  readonly connection: string;
  /** Whether it ran already, left behind by a killed server. */
  readonly adopted: boolean;
  /** Ends all sessions and stops Postgres. */
  stop(): Promise<void>;
}

interface EmbeddedOptions {
  readonly dataDir: string;
  readonly log: EmbeddedLog;
  /** Called when another server took the data folder while the database was unavailable: stop serving. */
  readonly onLost?: (reason: Error) => void;
  /** Aborted when the server is asked to stop: a start is given up, and another server that starts meanwhile waits. */
  readonly stopping?: AbortSignal;
  /** How long Postgres waits for another server after this one was killed. */
  readonly orphanGraceMs?: number;
  /** Whether a running server is to be expected: its lock is not waited for. */
  readonly beside?: boolean;
  /** Postgres settings that differ from the usual ones. */
  readonly settings?: Readonly<Record<string, string>>;
  /** For tests: the account change that must not be used. */
  readonly avoid?: "namespace";
}

const databaseName = "watchfloor";
const restartPauseMs = 500;
const openAttempts = 20;

function connectionUrl(postmaster: Postmaster, user: string, password: string): string {
  const windows = process.platform === "win32";
  const url = new URL(`postgresql://localhost/${databaseName}`);
  url.username = user;
  url.password = password;
  // The socket has no TLS; another program's PGSSLMODE must not ask for it.
  url.searchParams.set("sslmode", "disable");
  // Explicit also for the default: another program's PGPORT must not be used.
  url.port = String(postmaster.port);
  if (windows) url.hostname = "127.0.0.1";
  else url.searchParams.set("host", postmaster.socketFolder);
  return url.href.replaceAll("+", "%20");
}

async function writeConnection(cluster: Cluster, url: string): Promise<void> {
  const temporaryPath = `${cluster.folders.connection}.${process.pid}`;
  await writeFile(temporaryPath, `${url}\n`, { mode: 0o600 });
  await rename(temporaryPath, cluster.folders.connection);
}

const program = fileURLToPath(new URL("stop-when-orphaned.ts", import.meta.url));

/** Holds the pipe in a shell of one megabyte; Node is started only when the pipe is closed. */
const waitInShell = ["sh", "-c", 'read -r _; exec "$@"', "sh"];

/** The arguments of stop-when-orphaned.ts, as JSON on its command line. */
export interface Orphan {
  readonly folders: Cluster["folders"];
  readonly runAs: Cluster["runAs"];
  readonly graceMs: number;
}

/**
 * Starts the process that stops Postgres after this server was killed. It holds a pipe whose other end is in
 * this process, so the system notifies it. It has a session of its own, so that Ctrl-C doesn't reach it.
 */
export function watchServer({ folders, runAs, log }: Cluster, graceMs: number): ChildProcess {
  const orphan: Orphan = { folders, runAs, graceMs };
  const prefix = process.platform === "win32" ? [] : waitInShell;
  const [file = "", ...args] = [...prefix, process.execPath, program, JSON.stringify(orphan)];
  const child = spawn(file, args, {
    cwd: folders.home,
    env: { PATH: process.env.PATH },
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.on("error", ({ message }) => {
    log.warn(`Nothing will stop the embedded Postgres if this server is killed: ${message}`);
  });
  child.stdin?.on("error", () => {});
  (child.stdin as unknown as { unref(): void } | null)?.unref();
  child.unref();
  return child;
}

/** Supervises one Postgres and owns its data folder, until stopped. */
class ManagedCluster {
  readonly #cluster: Cluster;
  readonly #options: EmbeddedOptions;
  /** The superuser's. */
  readonly #password: string;
  #owner: Client | undefined;
  #watcher: ChildProcess | undefined;
  #stopping = false;
  #restart: Promise<void> | undefined;

  constructor(cluster: Cluster, options: EmbeddedOptions, password: string) {
    this.#cluster = cluster;
    this.#options = options;
    this.#password = password;
    options.stopping?.addEventListener("abort", () => void this.#announceStop());
  }

  async open(): Promise<{ connection: string; adopted: boolean }> {
    let postmaster = await ensurePostmaster(this.#cluster);
    let owner = await this.#own(postmaster);
    try {
      if (postmaster.adopted && !(await this.#isCurrent(owner))) {
        await owner.end();
        await stopPostmaster(this.#cluster);
        postmaster = await ensurePostmaster(this.#cluster);
        owner = await this.#own(postmaster);
      }
      const connection = this.#serverUrl(postmaster);
      await writeConnection(this.#cluster, connection);
      // it may have ended before the listener was added
      await owner.query("SELECT 1");
      this.#watch(owner);
      const { orphanGraceMs = EMBEDDED_ORPHAN_GRACE_MS } = this.#options;
      this.#watcher ??= watchServer(this.#cluster, orphanGraceMs);
      return { connection, adopted: postmaster.adopted };
    } catch (error) {
      // a lock of our own that is still held would be mistaken for another server's
      await owner.end().catch(() => {});
      throw error;
    }
  }

  #serverUrl(postmaster: Postmaster): string {
    return connectionUrl(postmaster, serverUser, serverPassword(this.#password));
  }

  /** Takes the cluster's lock as the ordinary role, which the superuser creates if it does not exist yet. */
  async #own(postmaster: Postmaster): Promise<Client> {
    const { dataDir } = this.#options;
    const url = this.#serverUrl(postmaster);
    if (!(await isPrepared(url))) {
      const client = await ownCluster(
        connectionUrl(postmaster, superuser, this.#password),
        dataDir,
        this.#options,
      );
      await prepareServerRole(client, serverPassword(this.#password)).finally(() => client.end());
    }
    return ownCluster(url, dataDir, this.#options);
  }

  /**
   * The lock is held until Postgres has it released by its end, so that no other server gets it for a Postgres that is about to
   * stop. Afterwards the folders may be that server's already: what is removed from them is removed before.
   */
  async close(): Promise<void> {
    this.#stopping = true;
    await this.#restart;
    const stopped = stopPostmaster(this.#cluster);
    await rm(this.#cluster.folders.connection, { force: true });
    await stopped;
    await this.#owner?.end().catch(() => {});
    this.#watcher?.kill();
  }

  async #announceStop(): Promise<void> {
    if (this.#owner) await announceStop(this.#owner).catch(() => {});
  }

  /** One left behind by an older release is stopped: its programs may be gone from the disk. */
  async #isCurrent(owner: Client): Promise<boolean> {
    const { rows } = await owner.query<{ server_version: string }>("SHOW server_version");
    return `${rows[0]?.server_version}.0`.startsWith(this.#cluster.folders.native.version);
  }

  #watch(owner: Client): void {
    this.#owner = owner;
    if (this.#options.stopping?.aborted) void this.#announceStop();
    owner.once("end", () => {
      if (this.#stopping) return;
      this.#restart = this.#reopen();
    });
  }

  /** Postgres or our session died: get both back. The socket's path is the same, so pools just reconnect. */
  async #reopen(): Promise<void> {
    this.#cluster.log.warn("The embedded database went away; starting it again.");
    while (!this.#stopping) {
      try {
        await this.open();
        this.#cluster.log.info("The embedded database is back.");
        return;
      } catch (error) {
        if (error instanceof DataFolderInUse) return this.#options.onLost?.(error);
        this.#cluster.log.warn(`The embedded database is not back yet: ${String(error)}`);
        await sleep(restartPauseMs);
      }
    }
  }
}

async function prepare(options: EmbeddedOptions): Promise<ManagedCluster> {
  const runAs = await chooseRunAs(options.avoid);
  try {
    const folders = await clusterFolders(options.dataDir);
    const password = await initCluster(folders, runAs);
    const { dataDir, settings = {}, log } = options;
    const cluster = { dataDir, folders, runAs, settings, log };
    return new ManagedCluster(cluster, options, password);
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code !== "EACCES" && code !== "EPERM") throw error;
    throw new EmbeddedRefusal(
      `This user may not use the data folder (${path}): run as the user that made it, or set DATA_DIR to another folder.`,
    );
  }
}

/** Starts (or adopts) the embedded Postgres of a data folder; refuses one that another server uses. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const managed = await prepare(options);
  for (let attempt = 1; ; attempt += 1) {
    options.stopping?.throwIfAborted();
    try {
      return { ...(await managed.open()), stop: () => managed.close() };
    } catch (error) {
      // One that was left behind may be stopping at this moment (stop-when-orphaned.ts).
      if (!isUnavailable(error) || attempt >= openAttempts) throw error;
      await sleep(restartPauseMs);
    }
  }
}
