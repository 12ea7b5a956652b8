import { existsSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { chown, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { cleanUpAtExit, killNow } from "./clean-up.ts";
import { isFullProof } from "./proof-size.ts";

/**
 * Temporary folders of tests. Their names include the process that created them, so that a later run can find
 * what a killed one left behind. Near the root: a socket's path must be short.
 */
export interface TempFolder {
  readonly path: string;
  drop(): void;
}

const prefix = "watchfloor-test-";
const onDisk = "/tmp";
const inMemory = "/dev/shm";
/** The databases of a whole run, with their logs, take less than half of it. */
const MEMORY_MIN_BYTES = 6 * 2 ** 30;

/** Whether the machine has a file system in memory with enough space for all tests, from which programs may be started. */
function hasFreeMemory(): boolean {
  // A proof's databases are larger, and its durations are those of a disk.
  if (isFullProof || process.availableMemory() < MEMORY_MIN_BYTES) return false;
  try {
    const mounts = readFileSync("/proc/self/mounts", "utf8").split("\n");
    const mount = mounts.find((line) => line.includes(` ${inMemory} tmpfs `));
    const { bavail, bsize } = statfsSync(inMemory);
    return !!mount && !mount.includes("noexec") && bavail * bsize >= MEMORY_MIN_BYTES;
  } catch {
    return false;
  }
}

let fastRoot: string | undefined;

/** The processes of servers that work in a folder: those that name it on their command line. */
function serversIn(folder: string): number[] {
  if (!existsSync("/proc")) return [];
  const pids = readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid);
  return pids.filter((pid) => {
    const commandParts = commandLine(pid);
    return (
      commandParts.includes(folder) &&
      /postgres|initdb|redis|valkey|hold-database/.test(commandParts)
    );
  });
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** Ends what a test left running in the folder (the embedded Postgres outlives its starter), and removes it. */
function remove(path: string): void {
  for (const pid of serversIn(path)) killNow(pid);
  rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

interface Owner {
  uid: number;
  gid: number;
}

/**
 * Makes a folder that is gone when this process ends; in memory where there is enough space, because a database is a thousand small
 * files: to create and drop one takes a fifth of the processor time that it takes on a disk.
 */
export function tempFolder(owner?: Owner): Promise<TempFolder> {
  fastRoot ??= hasFreeMemory() ? inMemory : onDisk;
  return folderIn(fastRoot, owner);
}

/** The same on the disk: for benches, and for links to files of the repository. */
export function diskFolder(owner?: Owner): Promise<TempFolder> {
  return folderIn(onDisk, owner);
}

async function folderIn(root: string, owner?: Owner): Promise<TempFolder> {
  const path = await mkdtemp(join(root, `${prefix}${process.pid}-`));
  if (owner) await chown(path, owner.uid, owner.gid);
  const drop = () => remove(path);
  const forget = cleanUpAtExit(drop);
  return {
    path,
    drop: () => {
      forget();
      drop();
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Ends and removes what test runs left behind that were killed. */
export function sweepAbandoned(): void {
  for (const root of [onDisk, inMemory].filter(existsSync)) {
    for (const name of readdirSync(root)) {
      const maker = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
      if (maker && !isAlive(Number(maker))) remove(join(root, name));
    }
  }
}
