import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { cleanUpAtExit, killNow } from "../provision/clean-up.ts";

/** The repository's top folder. */
export const repositoryRoot = fileURLToPath(new URL("../..", import.meta.url));

const toolEntries = {
  biome: "node_modules/@biomejs/biome/bin/biome",
  tsc: "node_modules/typescript/bin/tsc",
} as const;

/** Runs one of the development tools; resolves to its exit code and what it printed. */
export async function runTool(
  name: keyof typeof toolEntries,
  args: readonly string[],
): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [toolEntries[name], ...args], {
    cwd: repositoryRoot,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => output.push(text));
  }
  const forget = cleanUpAtExit(() => killNow(child.pid, "SIGTERM"));
  const code = await new Promise<number>((resolve) => {
    child.once("error", () => resolve(1));
    child.once("close", (exitCode) => resolve(exitCode ?? 1));
  });
  forget();
  return { code, output: output.join("") };
}
