import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

/** Finds the programs that tests need, and installs them with the system's package manager where it can. */
const run = promisify(execFile);

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The first of the named programs that is on the PATH or in one of the further folders. */
export function findProgram(names: readonly string[], folders: readonly string[] = []) {
  const path = (process.env.PATH ?? "").split(delimiter);
  const all = [...folders, ...path, "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"];
  return names.flatMap((name) => all.map((folder) => join(folder, name))).find(isExecutable);
}

async function asRoot(): Promise<string[] | undefined> {
  if (process.getuid?.() === 0) return [];
  const sudo = findProgram(["sudo"]);
  if (!sudo) return undefined;
  return run(sudo, ["-n", "true"]).then(
    () => [sudo, "-n"],
    () => undefined,
  );
}

/** Installs a Debian package; false where there is no apt-get, no right to use it, or no such package. */
async function aptInstall(debianPackage: string): Promise<boolean> {
  const prefix = await asRoot();
  const apt = findProgram(["apt-get"]);
  if (!prefix || !apt) return false;
  process.stderr.write(`Installing ${debianPackage} with apt-get, as the tests need it.\n`);
  const options = ["-y", "-q", "--no-remove", "-o", "DPkg::Lock::Timeout=300"];
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apply = (...args: string[]) => {
    const [file = "", ...rest] = [...prefix, apt, ...options, ...args];
    return run(file, rest, { env, maxBuffer: 64 * 1024 * 1024 });
  };
  try {
    await apply("update");
    await apply("install", "--no-install-recommends", debianPackage);
    return true;
  } catch {
    return false;
  }
}

/** Returns the program, installing it first if it is missing; else says what to install. */
export async function provideProgram(
  find: () => string | undefined,
  debianPackage: string,
  packageName: string,
): Promise<string> {
  const found = find() ?? ((await aptInstall(debianPackage)) ? find() : undefined);
  if (found) return found;
  throw new Error(
    `The tests need ${packageName}, which is not on this machine: install it (on Debian: apt-get install ${debianPackage}).`,
  );
}
