import { spawn } from "node:child_process";
import { once } from "node:events";
import { serverProgram } from "../../harness/server-program.ts";
import { cleanUpAtExit, killNow } from "../../provision/clean-up.ts";

/** How a server process ended, and what it printed. */
export interface ServerRun {
  readonly code: number | null;
  readonly output: string;
}

/** Starts the real server with exactly this environment and waits until it ends; one that comes up is stopped. */
export async function runServer(environment: Record<string, string>): Promise<ServerRun> {
  const env = { PATH: process.env.PATH, HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "warn" };
  const compiled = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };
  const child = spawn(process.execPath, [await serverProgram("main"), "start"], {
    env: { ...env, ...compiled, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const forget = cleanUpAtExit(() => killNow(child.pid));
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text) => {
      output += String(text);
      if (output.includes("Watchfloor is running on")) child.kill("SIGTERM");
    });
  }
  const [code] = (await once(child, "close")) as [number | null];
  forget();
  return { code, output };
}

/** A start that was refused for a reason that the operator can act on: one line, no stack. */
export const oneLine = /^[^\n]{10,400}\n$/;
