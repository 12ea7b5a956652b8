import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { chown, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { cleanUpAtExit, killNow } from "./clean-up.ts";

/**
 * Temporary folders of tests. Their names include the process that created them, so that a later run can find
 * what a killed one left behind. Always in /tmp: a socket's path must be short.
 */
export interface TempFolder {
  readonly path: string;
  drop(): void;
}

const prefix = "watchfloor-test-";

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

/** Makes a folder that is gone when this process ends. */
export async function tempFolder(owner?: { uid: number; gid: number }): Promise<TempFolder> {
  const path = await mkdtemp(join("/tmp", `${prefix}${process.pid}-`));
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
  for (const name of readdirSync("/tmp")) {
    const maker = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    if (!maker || isAlive(Number(maker))) continue;
    remove(join("/tmp", name));
  }
}
