import type { ClusterFolders } from "./cluster-folders.ts";
import { postgresSpawn } from "./postgres-command.ts";
import type { RunAs } from "./run-as.ts";
import { runProgram } from "./run-program.ts";

/**
 * Postgres holds a lock of the system on its data folder for as long as it, or a child of it, lives. Its own lock file names a
 * process, which another container on the same volume can't distinguish from a dead one: two that start there at once would both
 * run. The system's lock is seen in every container, and ends with its holder.
 */

/** The exit code where another process holds the lock; Postgres has no such code. */
export const LOCKED_EXIT_CODE = 75;

const flock = ["flock", "--nonblock", "--no-fork", "--conflict-exit-code", `${LOCKED_EXIT_CODE}`];

/**
 * The start of a command line that runs a program under the lock. Empty where the system has no such program, as macOS, or the
 * volume no such locks.
 */
export async function lockCommand(folders: ClusterFolders, runAs: RunAs): Promise<string[]> {
  if (process.platform !== "linux") return [];
  const probe = [...flock, "--shared", folders.home, "true"];
  const { ok } = await runProgram(probe, postgresSpawn(folders, runAs));
  return ok ? [...flock, folders.data] : [];
}
