import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { repositoryRoot } from "../stages/run-tool.ts";

const source = join(repositoryRoot, "client/package");
const tsc = join(repositoryRoot, "node_modules/typescript/bin/tsc");

/**
 * Builds `@watchfloor/client` and installs what would be published of it into a folder, beside the packages that it
 * declares and no others.
 */
export function installClientPackage(folder: string): void {
  const modules = join(folder, "node_modules");
  const target = join(modules, "@watchfloor/client");
  mkdirSync(target, { recursive: true });
  compile(["-p", source, "--outDir", join(target, "dist")]);
  cpSync(join(source, "package.json"), join(target, "package.json"));
  const { dependencies } = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(repositoryRoot, "node_modules", name), join(modules, name));
  }
}

/** Runs the TypeScript compiler; throws what it reports. */
export function compile(args: readonly string[], cwd = repositoryRoot): void {
  try {
    execFileSync(process.execPath, [tsc, ...args], { cwd, encoding: "utf8" });
  } catch (error) {
    throw new Error((error as { stdout: string }).stdout);
  }
}
