import { setTimeout as sleep } from "node:timers/promises";
import { dropSocketFolder } from "./cluster-folders.ts";
import type { Cluster } from "./launch-postmaster.ts";
import { postgresCommand, postgresSpawn } from "./postgres-command.ts";
import { isAlive, isPostmasterOf, readPostmasterFile } from "./postmaster-file.ts";
import { runProgram } from "./run-program.ts";

/** How long each way of stopping gets, gentlest first; the last one is certain. */
const ways = [
  { signal: "SIGINT", waitMs: 10_000 },
  { signal: "SIGQUIT", waitMs: 5_000 },
  { signal: "SIGKILL", waitMs: 2_000 },
] as const;
const pollMs = 10;

async function hasExited(pid: number, withinMs: number): Promise<boolean> {
  for (let waited = 0; waited < withinMs; waited += pollMs) {
    if (!(await isAlive(pid))) return true;
    await sleep(pollMs);
  }
  return false;
}

/** Stops Postgres: open sessions end, committed data is on disk. Bounded; does nothing if none runs. */
export async function stopPostmaster(cluster: Pick<Cluster, "folders" | "runAs">): Promise<void> {
  const { folders, runAs } = cluster;
  const file = await readPostmasterFile(folders.data);
  if (!file || !(await isPostmasterOf(file.pid, folders.data))) return;
  if (process.platform === "win32") {
    const command = [...postgresCommand("pg_ctl", folders, runAs), "stop", "-m", "fast"];
    await runProgram([...command, "-D", folders.data], postgresSpawn(folders, runAs));
    return;
  }
  for (const { signal, waitMs } of ways) {
    process.kill(file.pid, signal);
    // Before it has ended: the next one has its sockets in the same folder.
    await dropSocketFolder(file.socketFolder);
    if (await hasExited(file.pid, waitMs)) break;
  }
}
