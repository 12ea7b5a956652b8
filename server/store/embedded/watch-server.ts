import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Cluster } from "./launch-postmaster.ts";

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
