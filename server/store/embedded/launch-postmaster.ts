import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { readFile, rename, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type ClusterFolders,
  changeOwner,
  makeSocketFolders,
  socketFolderOf,
} from "./cluster-folders.ts";
import type { EmbeddedLog } from "./embedded-log.ts";
import { LOCKED_EXIT_CODE, lockCommand } from "./folder-lock.ts";
import { DataFolderCopied, DataFolderInUse } from "./own-cluster.ts";
import { postgresCommand, postgresSpawn } from "./postgres-command.ts";
import { type Listen, settingArguments } from "./postgres-settings.ts";
import {
  ageOfPostmasterFile,
  isAlive,
  isListening,
  isPostmasterOf,
  isSameFolder,
  type PostmasterFile,
  readPostmasterFile,
  removeStaleFile,
} from "./postmaster-file.ts";
import type { RunAs } from "./run-as.ts";

/**
 * Ensures that the Postgres of a cluster runs; a running one is adopted, whoever started it.
 * It runs in a session of its own with its log in a file, so neither Ctrl-C in our terminal nor our death
 * stops it. Of two that are launched at once Postgres lets one live; the launcher of the other adopts that
 * one.
 */
export interface Cluster {
  readonly dataDir: string;
  readonly folders: ClusterFolders;
  readonly runAs: RunAs;
  readonly settings: Readonly<Record<string, string>>;
  readonly log: EmbeddedLog;
}

/** A running Postgres, ready for connections, and whether it ran before. */
export interface Postmaster extends PostmasterFile {
  readonly adopted: boolean;
}

const pollMs = 10;
const retryMs = 200;
const progressMs = 5_000;
/** How often a launch is repeated that failed because the remains of a killed server were not gone yet. */
const launchAttempts = 50;
/** How long a Postgres that runs in another container may take to open its sockets, or to stop. */
const foreignWaitMs = 3_000;
const logBytes = 5_000_000;
/** Another Postgres holds the lock of the folder, or what is left of one that was killed does. */
const locked = "The data folder is locked.";
const passingTrouble =
  /data folder is locked|pre-existing shared memory|lock file .* already exists|could not bind/;

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

async function chooseListen({ folders, runAs }: Cluster): Promise<Listen> {
  if (process.platform === "win32") return { port: await freePort() };
  return { socketFolders: await makeSocketFolders(folders.home, runAs) };
}

async function rotateLog({ folders: { log } }: Cluster): Promise<number> {
  const size = (await stat(log).catch(() => undefined))?.size ?? 0;
  if (size < logBytes) return size;
  await rename(log, `${log}.1`);
  return 0;
}

async function spawnPostgres(cluster: Cluster, listen: Listen): Promise<ChildProcess> {
  const { folders, runAs, settings } = cluster;
  const lock = await lockCommand(folders, runAs);
  const [file = "", ...prefix] = [...lock, ...postgresCommand("postgres", folders, runAs)];
  const out = openSync(folders.log, "a", 0o600);
  await changeOwner(folders.log, runAs);
  const child = spawn(
    file,
    [...prefix, "-D", folders.data, ...settingArguments(listen, settings)],
    {
      ...postgresSpawn(folders, runAs),
      detached: true,
      stdio: ["ignore", out, out],
    },
  );
  closeSync(out);
  child.unref();
  return child;
}

/** What Postgres wrote to its log since a position. */
async function logSince(cluster: Cluster, from: number): Promise<string> {
  const text = await readFile(cluster.folders.log).catch(() => Buffer.alloc(0));
  return text.subarray(from).toString().trim();
}

/** Waits while the server named by the lock file starts, recovers or stops; null when it is gone. */
async function whenReady(cluster: Cluster): Promise<PostmasterFile | undefined> {
  const { folders, log } = cluster;
  for (let waited = 0; ; waited += pollMs) {
    const file = await readPostmasterFile(folders.data);
    if (!file) return undefined;
    if (file.status === "ready")
      return (await isPostmasterOf(file.pid, folders.data)) ? file : undefined;
    if (waited % 200 === 0 && !(await isPostmasterOf(file.pid, folders.data))) return undefined;
    if (waited > 0 && waited % progressMs === 0) log.info("The database is still getting ready.");
    await sleep(pollMs);
  }
}

/**
 * Refuses a folder that was copied while its Postgres ran, as long as that one runs: nothing else shows that the copy may
 * be damaged. Postgres would start on it.
 */
async function requireNoCopy({ folders: { data }, dataDir }: Cluster): Promise<void> {
  const file = await readPostmasterFile(data);
  if (!file?.dataFolder || (await isSameFolder(file.dataFolder, data))) return;
  if (await isPostmasterOf(file.pid, file.dataFolder))
    throw new DataFolderCopied(dataDir, data, file);
}

/**
 * Refuses a folder whose Postgres runs where its processes can't be seen, as in another container on the same volume.
 * Neither Postgres nor we would take its lock file for more than a remnant.
 */
async function requireNoForeign({ folders, dataDir }: Cluster): Promise<void> {
  for (let waited = 0; ; waited += retryMs) {
    const file = await readPostmasterFile(folders.data);
    if (!file || (await isPostmasterOf(file.pid, folders.data))) return;
    if (!(await isForeign(file, folders))) return;
    if (waited > foreignWaitMs) throw new DataFolderInUse(dataDir, undefined);
    await sleep(retryMs);
  }
}

async function isForeign(file: PostmasterFile, { data, home }: ClusterFolders): Promise<boolean> {
  // One that starts names its sockets only once they are open. A clock that was set back makes no remnant young.
  if (!file.socketFolder)
    return !file.status && Math.abs(await ageOfPostmasterFile(data)) < foreignWaitMs;
  // The volume may have another path there.
  const socketFolders = [file.socketFolder, socketFolderOf(home)];
  const listening = socketFolders.map((folder) => isListening(folder, file.port));
  return (await Promise.all(listening)).includes(true);
}

/** Postgres handles a lock file whose process is gone; we handle one whose number another program got. */
async function clearRemains(cluster: Cluster): Promise<void> {
  const { data } = cluster.folders;
  const file = await readPostmasterFile(data);
  if (!file || !(await isAlive(file.pid)) || (await isPostmasterOf(file.pid, data))) return;
  cluster.log.info(
    `A lock file of a killed Postgres was in the way (process ${file.pid} is another program).`,
  );
  await removeStaleFile(data, file);
}

/** The same for the locks of its sockets, which Postgres leaves to nobody else as long as a process has that number. */
async function clearSocketLocks({ folders: { data } }: Cluster, listen: Listen): Promise<void> {
  const folders = "port" in listen ? [] : listen.socketFolders;
  for (const folder of folders) {
    const path = join(resolve(data, folder), ".s.PGSQL.5432.lock");
    const pid = Number.parseInt(await readFile(path, "utf8").catch(() => ""), 10);
    if (pid > 0 && !(await isPostmasterOf(pid, data))) await rm(path, { force: true });
  }
}

/** One attempt: returns the server that finally runs, or why none does. */
async function launchOnce(cluster: Cluster): Promise<Postmaster | string> {
  const from = await rotateLog(cluster);
  const listen = await chooseListen(cluster);
  await clearSocketLocks(cluster, listen);
  const child = await spawnPostgres(cluster, listen);
  const state = { ended: false, reason: "" };
  child.once("exit", (code) => {
    state.ended = true;
    if (code === LOCKED_EXIT_CODE) state.reason = locked;
  });
  child.once("error", (error) => {
    state.ended = true;
    state.reason = error.message;
  });
  while (!state.ended) {
    const file = await readPostmasterFile(cluster.folders.data);
    if (file?.pid === child.pid && file?.status === "ready") return { ...file, adopted: false };
    await sleep(pollMs);
  }
  return state.reason || (await logSince(cluster, from));
}

/** Returns the running Postgres of the cluster, launching it if none runs. */
export async function ensurePostmaster(cluster: Cluster): Promise<Postmaster> {
  let trouble = "";
  for (let attempt = 0; attempt < launchAttempts; attempt += 1) {
    const running = await whenReady(cluster);
    if (running) return { ...running, adopted: true };
    await requireNoCopy(cluster);
    await requireNoForeign(cluster);
    await clearRemains(cluster);
    const launched = await launchOnce(cluster);
    if (typeof launched !== "string") return launched;
    trouble = launched;
    if (!passingTrouble.test(trouble)) break;
    await sleep(retryMs);
  }
  if (trouble === locked) throw new DataFolderInUse(cluster.dataDir, undefined);
  throw new Error(`The embedded Postgres did not start. It said:\n${trouble}`);
}
