import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { cleanUpAtExit, killNow } from "../provision/clean-up.ts";
import { proofSize } from "../provision/proof-size.ts";
import type { Write } from "./stage.ts";

/** The repository's top folder. */
export const repositoryRoot = fileURLToPath(new URL("../..", import.meta.url));

/** Longer than any stage may take: then something hangs, and the run must report it. */
const stageLimitMs = proofSize(75, 90) * 60_000;

const toolEntries = {
  biome: "node_modules/@biomejs/biome/bin/biome",
  tsc: "node_modules/typescript/bin/tsc",
  vitest: "node_modules/vitest/vitest.mjs",
} as const;

/** Settings of a running Watchfloor that must not reach its tests; the size of randomised tests must. */
const inheritedVariables =
  /^(PORT|HOST|DATA_DIR|DATABASE_URL|REDIS_URL|TRUST_PROXY|WATCHFLOOR_(?!(?:PROOF|SEED)$).*|PG[A-Z]+)$/;

function testEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !inheritedVariables.test(name)),
  );
}

async function ending(child: ChildProcess, name: string, write: Write): Promise<number> {
  const timer = setTimeout(() => {
    write(`${name} took longer than ${stageLimitMs / 60_000} minutes.\n`);
    child.kill("SIGTERM");
  }, stageLimitMs);
  const code = await new Promise<number>((resolve) => {
    child.once("error", () => resolve(1));
    child.once("close", (exitCode) => resolve(exitCode ?? 1));
  });
  clearTimeout(timer);
  return code;
}

/** Runs one of the development tools and passes its output on; resolves to its exit code. */
export async function runTool(
  name: keyof typeof toolEntries,
  args: readonly string[],
  write: Write,
): Promise<number> {
  const child = spawn(process.execPath, [toolEntries[name], ...args], {
    cwd: repositoryRoot,
    env: testEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", write);
  }
  const forget = cleanUpAtExit(() => killNow(child.pid, "SIGTERM"));
  const code = await ending(child, name, write);
  forget();
  return code;
}
