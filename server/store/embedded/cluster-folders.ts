import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  realpath,
  rename,
  rm,
  stat,
  symlink,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type NativePackage, nativePackage } from "./native-package.ts";
import type { RunAs } from "./run-as.ts";

/**
 * Folders of the embedded database: all below DATA_DIR/postgres, which only its owner may enter.
 * Another account may be unable to reach DATA_DIR, or the programs. Then both are below /var/lib/watchfloor,
 * and DATA_DIR/postgres becomes a link there.
 */
export interface ClusterFolders {
  /** The parent of all others, its links resolved. */
  readonly home: string;
  readonly data: string;
  readonly log: string;
  /** The file with the connection URL for psql and other programs. */
  readonly connection: string;
  readonly native: NativePackage;
}

const privateMode = 0o700;
/** Others may pass through it, to their own files, but not list it. */
const passableMode = 0o711;
/** For what an account other than ours must reach. */
export const sharedHome = "/var/lib/watchfloor";
/** The longest socket path that every system accepts (macOS 104, Linux 108, one for the final NUL). */
const socketPathBytes = 103;

async function mayEnter(path: string, uid: number): Promise<boolean> {
  for (let at = path; ; at = dirname(at)) {
    const { mode, uid: owner } = await stat(at);
    if ((mode & (owner === uid ? 0o100 : 0o001)) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

async function relocatedHome(dataDir: string): Promise<string> {
  const name = createHash("sha256").update(dataDir).digest("hex").slice(0, 12);
  const home = join(sharedHome, name);
  await mkdir(sharedHome, { recursive: true, mode: 0o755 });
  await mkdir(home, { recursive: true, mode: privateMode });
  await symlink(home, join(dataDir, "postgres")).catch(ignoreExisting);
  return home;
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

/** A copy of the programs that every account can reach; built aside and moved, so never incomplete. */
async function relocatedNative(native: NativePackage): Promise<NativePackage> {
  const root = join(sharedHome, `postgres-${native.version}`);
  if (!existsSync(root)) {
    await mkdir(sharedHome, { recursive: true, mode: 0o755 });
    const copy = await mkdtemp(join(sharedHome, "copy-"));
    await cp(native.root, copy, { recursive: true, verbatimSymlinks: true });
    await chmod(copy, 0o755);
    await rename(copy, root).catch(() => rm(copy, { recursive: true, force: true }));
  }
  return { ...native, root };
}

async function ownHome(dataDir: string, runAs: RunAs): Promise<string> {
  const home = join(dataDir, "postgres");
  if (existsSync(home)) return realpath(home);
  const own = runAs.kind !== "account" || (await mayEnter(dataDir, runAs.uid));
  if (!own) return relocatedHome(dataDir);
  await mkdir(home, { recursive: true, mode: privateMode });
  return home;
}

/** Creates the folders for a data folder and returns their paths. */
export async function clusterFolders(dataDir: string, runAs: RunAs): Promise<ClusterFolders> {
  const mode = runAs.kind === "account" ? passableMode : privateMode;
  await mkdir(dataDir, { recursive: true, mode });
  const absolute = await realpath(resolve(dataDir));
  const home = await ownHome(absolute, runAs);
  await changeOwner(home, runAs);
  await chmod(home, privateMode).catch(() => {});
  let native = await nativePackage(join(home, "lib"));
  if (runAs.kind === "account" && !(await mayEnter(native.root, runAs.uid))) {
    native = await relocatedNative(native);
  }
  return {
    home,
    data: join(home, "data"),
    log: join(home, "postgres.log"),
    connection: join(home, "connection"),
    native,
  };
}

/** Gives a file or folder to the account that Postgres runs as, if that is not ours. */
export async function changeOwner(path: string, runAs: RunAs): Promise<void> {
  if (runAs.kind === "account") await chown(path, runAs.uid, runAs.gid);
}

const shortPrefix = "/tmp/watchfloor-";

/** A fixed name, so that a restart finds the same place; an unguessable one if somebody has taken it. */
async function shortFolder(home: string, owner: number | undefined): Promise<string> {
  const path = shortPrefix + createHash("sha256").update(home).digest("hex").slice(0, 12);
  await mkdir(path, { mode: privateMode }).catch(ignoreExisting);
  const { mode, uid } = await lstat(path);
  const ours = (uid === process.getuid?.() || uid === owner) && (mode & 0o777) === privateMode;
  return ours ? path : mkdtemp(shortPrefix);
}

const socketName = "socket";

/** Beside the data there is always a socket, by which a server in another container on the same volume finds Postgres. */
export const socketFolderOf = (home: string) => join(home, socketName);

/** Whether the address of a socket can hold this path. */
export const isSocketPath = (path: string) => Buffer.byteLength(path) <= socketPathBytes;

/**
 * The folders for sockets, as Postgres has to name them: first that by which programs connect. If the path beside the
 * data is too long for them, that is a private folder in /tmp, and Postgres names the other one from its own folder.
 */
export async function makeSocketFolders(
  home: string,
  runAs: RunAs,
): Promise<[string, ...string[]]> {
  const beside = socketFolderOf(home);
  const isShort = isSocketPath(join(beside, ".s.PGSQL.5432"));
  const owner = runAs.kind === "account" ? runAs.uid : undefined;
  const folder = isShort ? beside : await shortFolder(home, owner);
  for (const one of new Set([folder, beside])) {
    await mkdir(one, { recursive: true, mode: privateMode });
    await changeOwner(one, runAs);
  }
  return isShort ? [folder] : [folder, join("..", socketName)];
}

/** Removes a socket folder of ours in /tmp after use; the one beside the data stays, also where the data is below a folder named like ours. */
export async function dropSocketFolder(folder: string): Promise<void> {
  const isOurs = folder.startsWith(shortPrefix) && dirname(folder) === dirname(shortPrefix);
  if (isOurs) await rm(folder, { recursive: true, force: true });
}
