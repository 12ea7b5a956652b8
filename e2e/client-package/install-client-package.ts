import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "../suite/run-tool.ts";

const source = join(repositoryRoot, "client/package");
const built = join(repositoryRoot, ".cache/client-package");
/** With one checker: four repeat each other's work. */
const tsc = [join(repositoryRoot, "node_modules/typescript/bin/tsc"), "--checkers", "1"];

/**
 * Builds `@watchfloor/client` and installs what would be published of it into a folder, beside the packages that it
 * declares and no others.
 */
export async function installClientPackage(folder: string): Promise<void> {
  const modules = join(folder, "node_modules");
  const target = join(modules, "@watchfloor/client");
  mkdirSync(target, { recursive: true });
  await lockClone(async () => {
    await build();
    cpSync(join(built, "dist"), join(target, "dist"), { recursive: true });
  });
  cpSync(join(source, "package.json"), join(target, "package.json"));
  const { dependencies } = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(repositoryRoot, "node_modules", name), join(modules, name));
  }
}

async function lockClone(work: () => Promise<void>): Promise<void> {
  const script = join(repositoryRoot, "server/bootstrap/with-lock.mjs");
  const { withLock } = (await import(script)) as {
    withLock(root: string, work: () => Promise<void>): Promise<void>;
  };
  await withLock(repositoryRoot, work);
}

/** The compiler takes two seconds of a core the first time, and half a second for each test that follows. */
async function build(): Promise<void> {
  const state = ["--incremental", "--tsBuildInfoFile", join(built, "tsconfig.tsbuildinfo")];
  const args = [...tsc, "-p", source, "--outDir", join(built, "dist"), ...state];
  await promisify(execFile)(process.execPath, args).catch(({ stdout }: { stdout: string }) => {
    throw new Error(stdout);
  });
}

/** Runs the TypeScript compiler; throws what it reports. */
export function compile(args: readonly string[], cwd = repositoryRoot): void {
  try {
    execFileSync(process.execPath, [...tsc, ...args], { cwd, encoding: "utf8" });
  } catch (error) {
    throw new Error((error as { stdout: string }).stdout);
  }
}
