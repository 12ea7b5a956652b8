import { spawn } from "node:child_process";

/** How a short program ended and its output (both streams, in order of arrival). */
interface ProgramResult {
  readonly ok: boolean;
  readonly output: string;
}

/**
 * Runs a program to its end; a program that can't be started is a failure, not an exception. It has a session of its own, as Postgres
 * has: a Ctrl-C in our terminal would end it half done, and a probe of the system would give a wrong answer.
 */
export function runProgram(
  command: readonly string[],
  options: { env?: NodeJS.ProcessEnv; cwd?: string; uid?: number; gid?: number } = {},
): Promise<ProgramResult> {
  const [file = "", ...args] = command;
  return new Promise((resolve) => {
    const chunks: string[] = [];
    const detached = process.platform !== "win32";
    const stdio = ["ignore", "pipe", "pipe"] as const;
    const child = spawn(file, args, { ...options, detached, stdio: [...stdio] });
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk.toString()));
    child.on("error", (error) => resolve({ ok: false, output: error.message }));
    child.on("close", (code) => resolve({ ok: code === 0, output: chunks.join("") }));
  });
}
