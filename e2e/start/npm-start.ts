import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  become,
  childrenOf,
  type Who,
} from "../../server/store/embedded/testing/database-holder.ts";
import { cleanUpAtExit, killNow } from "../provision/clean-up.ts";
import { findProgram } from "../provision/programs.ts";
import { repositoryRoot } from "../suite/run-tool.ts";

/** `npm start` in a clone, as a user would type it. */
export interface NpmStart {
  readonly url: string;
  /** Everything that it printed so far. */
  output(): string;
  /** The process that serves, and those that started it. */
  processes(): { server: number; all: number[] };
  /** Ends like Ctrl-C does; answers the exit code. */
  stop(): Promise<number | null>;
  /** `kill -9` of the given processes; waits until all is over. */
  kill(pids: readonly number[]): Promise<void>;
  readonly ended: Promise<number | null>;
}

const copied = ["package.json", "package-lock.json", "shared", "client", "server"];

/** A copy of the repository as a clone would be, but that the packages are those of this one. */
export function copyRepository(target: string): void {
  for (const name of copied) {
    const filter = (path: string) => !path.endsWith("node_modules") && !path.includes("/dist.");
    cpSync(join(repositoryRoot, name), join(target, name), { recursive: true, filter });
  }
  symlinkSync(realpathSync(join(repositoryRoot, "node_modules")), join(target, "node_modules"));
}

/** A process and all that it started, directly or not. */
export function descendants(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(descendants)];
}

export function isServer(pid: number): boolean {
  const path = `/proc/${pid}/cmdline`;
  return existsSync(path) && readFileSync(path, "utf8").includes("\0server/main.ts");
}

async function whenUp(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(50);
  }
}

/** Starts it and waits until it is ready, or has ended. */
export async function npmStart(
  clone: string,
  who: Who,
  port: number,
  environment: Record<string, string> = {},
): Promise<NpmStart> {
  const npm = findProgram(["npm"]) ?? "npm";
  const [file = "", ...args] = [...become(who), npm, "start"];
  const env = { PATH: process.env.PATH, HOME: clone, PORT: String(port), ...environment };
  const child = spawn(file, args, { cwd: clone, env, stdio: ["ignore", "pipe", "pipe"] });
  const text: string[] = [];
  child.stdout.on("data", (chunk) => text.push(String(chunk)));
  child.stderr.on("data", (chunk) => text.push(String(chunk)));
  const ended = once(child, "close").then(([code]) => code as number | null);
  const all = () => descendants(child.pid ?? 0);
  const forget = cleanUpAtExit(() => {
    for (const pid of all()) killNow(pid);
  });
  void ended.then(forget);
  const url = `http://127.0.0.1:${port}`;
  await whenUp(url, child);
  return {
    url,
    ended,
    output: () => text.join(""),
    processes: () => ({ server: all().find(isServer) ?? 0, all: all() }),
    stop: () => {
      killNow(all().find(isServer), "SIGINT");
      return ended;
    },
    kill: async (pids) => {
      for (const pid of pids) killNow(pid);
      await ended;
    },
  };
}
