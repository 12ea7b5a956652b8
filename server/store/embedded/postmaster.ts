import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { readFile, readlink, realpath, rename, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Cluster, dropSocketFolder, makeSocketFolder } from "./cluster.ts";
import {
  EmbeddedRefusal,
  postgresCommand,
  postgresEnvironment,
  runProgram,
} from "./run-postgres.ts";

/**
 * Launches, adopts and stops the Postgres of a cluster. It has a session of its own and its log in a file, so neither Ctrl-C in our
 * terminal nor our death stops it; whoever comes next adopts it, and of two that are launched at once one lives.
 *
 * One data folder never has two Postgres. What guarantees that:
 *
 * - `postmaster.pid` and shared memory are Postgres' own guard, on every system. It refuses a folder whose lock file names a process
 *   that exists. But it can't see a process in another container, nor distinguish a process of ours from another program that got its
 *   number after a crash.
 * - So on Linux Postgres is launched under `flock` on its data folder. Its children inherit the lock, which ends with the last of them, is seen by
 *   every container on the machine, and leaves nothing behind. Where it can't be taken at all, the start is refused. No lock reaches
 *   other machines: a data folder belongs to one.
 * - A lock file whose number belongs to another program is removed under that lock, when nobody can be running. On macOS, without
 *   `flock`, two servers that start at the same instant after such a crash could remove each other's; the Postgres concerned then
 *   stops itself within a minute and is launched again.
 * - A lock file that names another folder came with a copy of the data, which may have been made while they were written. Nothing
 *   else shows that, so the start is refused until somebody who knows has removed the file.
 */
export interface PostmasterFile {
  readonly pid: number;
  /** The data folder, as that Postgres names it. */
  readonly dataFolder: string;
  readonly port: number;
  readonly socketFolder: string;
  readonly status: string;
}

/** A running Postgres, ready for connections, and whether it ran before. */
export interface Postmaster extends PostmasterFile {
  readonly adopted: boolean;
}

/** Thrown if another server works on the same data folder. */
export class DataFolderInUse extends EmbeddedRefusal {
  /** The explanation in one sentence. */
  constructor(dataDir: string, pid: number | undefined) {
    const holderText = pid ? ` (process ${pid})` : "";
    super(
      `Another Watchfloor server${holderText} is already running on ${dataDir}: stop it first, or set DATA_DIR to another folder.`,
    );
    this.name = "DataFolderInUse";
  }
}

const pollMs = 10;
const retryMs = 200;
const progressMs = 5_000;
/** How often a launch is repeated that failed because the remains of a killed server were not gone yet. */
const launchAttempts = 50;
const logBytes = 5_000_000;
/** Another Postgres holds the lock of the folder, or what is left of one that was killed does. */
const locked = "The data folder is locked.";
const passingTrouble =
  /data folder is locked|pre-existing shared memory|lock file .* already exists|could not bind/;

/** The exit code where another process holds the lock; Postgres has no such code. */
const LOCKED_EXIT_CODE = 75;
const flock = ["flock", "--nonblock", "--no-fork", "--conflict-exit-code", `${LOCKED_EXIT_CODE}`];

/** The start of a command line that runs a program under the lock of a folder. */
const lockCommand = (folder: string) => (process.platform === "linux" ? [...flock, folder] : []);

/**
 * The settings of the embedded Postgres, given on its command line so that an older data folder gets them
 * too. They fit a machine of two cores and 2 GB that runs the server beside it.
 */
const settings: Readonly<Record<string, string>> = {
  // Promise 6: an acknowledged edit survives. Never off, not even in tests.
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  max_connections: "60",
  superuser_reserved_connections: "3",
  shared_buffers: "128MB",
  effective_cache_size: "512MB",
  work_mem: "8MB",
  maintenance_work_mem: "64MB",
  // Assumes solid state disks; and short statements gain nothing from compilation.
  random_page_cost: "1.1",
  jit: "off",
  max_wal_size: "1GB",
  checkpoint_timeout: "15min",
  // A statement whose client was killed ends soon, and with it its locks.
  client_connection_check_interval: "2s",
  timezone: "UTC",
  log_timezone: "UTC",
  // Only what concerns the server itself: a refused statement is reported by its sender.
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_checkpoints: "off",
  log_line_prefix: "%m [%p] ",
  logging_collector: "off",
};

function parse(text: string): PostmasterFile | undefined {
  const [pid, dataFolder = "", , port, socketFolder, , , status] = text.split("\n");
  if (!pid || !Number(pid)) return undefined;
  return {
    pid: Math.abs(Number(pid)),
    dataFolder,
    port: Number(port ?? 0),
    socketFolder: socketFolder ?? "",
    status: (status ?? "").trim(),
  };
}

const lockFileOf = (data: string) => join(data, "postmaster.pid");

/** The contents of Postgres' lock file; undefined if there is none. */
export async function readPostmasterFile(data: string): Promise<PostmasterFile | undefined> {
  return parse(await readFile(lockFileOf(data), "utf8").catch(() => ""));
}

/** Whether a process exists (a dead one that is not yet reaped does not count). */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return text.slice(text.lastIndexOf(")") + 2, text.lastIndexOf(")") + 3) !== "Z";
}

/**
 * Whether the process is the Postgres of this folder: Postgres works inside its data folder, and names it on
 * its command line. If the system hides both, a running process with that number is assumed to be it.
 */
async function isPostmasterOf(pid: number, data: string): Promise<boolean> {
  if (!(await isAlive(pid))) return false;
  if (process.platform === "linux")
    return isLinuxPostmasterOf(pid, await realpath(data).catch(() => data));
  if (process.platform === "win32") return true;
  const { output } = await runProgram(["ps", "-o", "comm=", "-p", String(pid)]);
  return output.includes("postgres");
}

async function isLinuxPostmasterOf(pid: number, data: string): Promise<boolean> {
  const folder = await readlink(`/proc/${pid}/cwd`).catch(unlessHidden);
  if (folder !== undefined) return folder === data;
  const args = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(unlessHidden);
  if (args === undefined) return true;
  const [program = "", ...rest] = args.split("\0");
  return program.endsWith("/postgres") && rest.includes(data);
}

/** Nothing of a process that has just ended; undefined for one that may not be looked at. */
function unlessHidden({ code }: NodeJS.ErrnoException): "" | undefined {
  return code === "EACCES" || code === "EPERM" ? undefined : "";
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

/** Where Postgres listens: on a socket that only its owner reaches, or (Windows) on a loopback port. */
async function listenSettings(socketFolder: string | undefined): Promise<Record<string, string>> {
  if (socketFolder === undefined) {
    const port = String(await freePort());
    return { listen_addresses: "127.0.0.1", port, unix_socket_directories: "" };
  }
  return {
    listen_addresses: "",
    port: "5432",
    // Quoted, because the setting is a list: a comma in a path would split it.
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: "0700",
  };
}

/** Refuses data that could get a second Postgres, or that may be damaged: see the head of this file. */
async function requireSafe({ dataDir, folders: { data, home } }: Cluster): Promise<void> {
  const path = lockFileOf(data);
  const file = await readPostmasterFile(data);
  if (file?.dataFolder && file.dataFolder !== data) {
    throw new EmbeddedRefusal(
      `${path} belongs to ${file.dataFolder}: ${dataDir} is a copy that was made while its Postgres ran, and may be damaged. Stop that server and copy the folder again, or use "watchfloor backup" and "watchfloor restore". If nothing ran during the copy, or the folder was only moved, delete ${path} and start again.`,
    );
  }
  const lock = lockCommand(home);
  if (lock.length === 0) return;
  // A shared lock of another folder never conflicts with a Postgres.
  const { ok, output } = await runProgram([...lock.slice(0, -1), "--shared", home, "true"]);
  if (ok) return;
  throw new EmbeddedRefusal(
    `${dataDir} can't be locked against a second Postgres (${output.trim()}): install "flock" (package util-linux), set DATA_DIR to a folder on a local disk, or set DATABASE_URL to a Postgres of your own.`,
  );
}

/** Lock files that a dead Postgres left, whose number now belongs to another program: Postgres would take it for itself. */
async function clearRemains(cluster: Cluster, socketFolder: string | undefined): Promise<void> {
  const { data } = cluster.folders;
  const paths = [lockFileOf(data)];
  if (socketFolder !== undefined) paths.push(join(socketFolder, ".s.PGSQL.5432.lock"));
  const stale: string[] = [];
  for (const path of paths) {
    const pid = parse(await readFile(path, "utf8").catch(() => ""))?.pid;
    if (pid && (await isAlive(pid)) && !(await isPostmasterOf(pid, data))) stale.push(path);
  }
  if (stale.length === 0) return;
  const { ok } = await runProgram([...lockCommand(data), "rm", "-f", ...stale]);
  if (ok) cluster.log.info("Lock files of a killed Postgres were in the way.");
}

/** Waits while the server named by the lock file starts, recovers or stops; undefined when it is gone. */
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

async function rotateLog({ folders: { log } }: Cluster): Promise<number> {
  const size = (await stat(log).catch(() => undefined))?.size ?? 0;
  if (size < logBytes) return size;
  await rename(log, `${log}.1`);
  return 0;
}

/** What Postgres wrote to its log since a position. */
async function logSince(cluster: Cluster, from: number): Promise<string> {
  const text = await readFile(cluster.folders.log).catch(() => Buffer.alloc(0));
  return text.subarray(from).toString().trim();
}

async function spawnPostgres(
  cluster: Cluster,
  socketFolder: string | undefined,
): Promise<ChildProcess> {
  const { data, home, log, native } = cluster.folders;
  const all = { ...settings, ...(await listenSettings(socketFolder)), ...cluster.settings };
  const options = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const program = postgresCommand("postgres", native, cluster.runAs);
  const [file = "", ...args] = [...lockCommand(data), ...program, "-D", data, ...options];
  const out = openSync(log, "a", 0o600);
  const child = spawn(file, args, {
    cwd: home,
    env: postgresEnvironment(native),
    detached: true,
    stdio: ["ignore", out, out],
  });
  closeSync(out);
  child.unref();
  return child;
}

/** One attempt: returns the server that finally runs, or why none does. */
async function launchOnce(cluster: Cluster): Promise<Postmaster | string> {
  const { data, home } = cluster.folders;
  const from = await rotateLog(cluster);
  const isWindows = process.platform === "win32";
  const socketFolder = isWindows ? undefined : await makeSocketFolder(home);
  await clearRemains(cluster, socketFolder);
  const child = await spawnPostgres(cluster, socketFolder);
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
    const file = await readPostmasterFile(data);
    const isReady = file?.pid === child.pid && file?.status === "ready";
    // In another container a Postgres may have the number of our `flock`, which is about to end.
    if (isReady && (await isPostmasterOf(file.pid, data))) return { ...file, adopted: false };
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
    await requireSafe(cluster);
    const launched = await launchOnce(cluster);
    if (typeof launched !== "string") return launched;
    trouble = launched;
    if (!passingTrouble.test(trouble)) break;
    await sleep(retryMs);
  }
  if (trouble === locked) throw new DataFolderInUse(cluster.dataDir, undefined);
  throw new Error(`The embedded Postgres did not start. It said:\n${trouble}`);
}

/** How long each way of stopping gets, gentlest first; the last one is certain. */
const waysToStop = [
  { signal: "SIGINT", waitMs: 10_000 },
  { signal: "SIGQUIT", waitMs: 5_000 },
  { signal: "SIGKILL", waitMs: 2_000 },
] as const;

async function hasExited(pid: number, withinMs: number): Promise<boolean> {
  for (let waited = 0; waited < withinMs; waited += pollMs) {
    if (!(await isAlive(pid))) return true;
    await sleep(pollMs);
  }
  return false;
}

/** Stops Postgres: open sessions end, committed data is on disk. Bounded; does nothing if none runs. */
export async function stopPostmaster(cluster: Pick<Cluster, "folders" | "runAs">): Promise<void> {
  const { data, home, native } = cluster.folders;
  const file = await readPostmasterFile(data);
  if (!file || !(await isPostmasterOf(file.pid, data))) return;
  if (process.platform === "win32") {
    const command = [...postgresCommand("pg_ctl", native, cluster.runAs), "stop", "-m", "fast"];
    await runProgram([...command, "-D", data], { cwd: home, env: postgresEnvironment(native) });
    return;
  }
  for (const { signal, waitMs } of waysToStop) {
    process.kill(file.pid, signal);
    // Before it has ended: the next one has its sockets in the same folder.
    await dropSocketFolder(file.socketFolder);
    if (await hasExited(file.pid, waitMs)) break;
  }
}
