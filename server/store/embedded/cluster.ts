import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import {
  type NativePackage,
  nativePackage,
  postgresCommand,
  postgresEnvironment,
  type RunAs,
  runProgram,
} from "./run-postgres.ts";

/**
 * The folders of the embedded database, all below DATA_DIR/postgres, which only its owner may enter, and the creation of the
 * cluster in them. It is built in a folder of its own and then moved into place, so a crash in the middle leaves nothing that
 * looks like data, and of two processes that build at once exactly one wins.
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

/** The two log levels of the embedded database; pino's logger and a test's array both fit. */
export interface EmbeddedLog {
  info(message: string): void;
  warn(message: string): void;
}

/** A cluster that was found or created, and how its Postgres is run. */
export interface Cluster {
  readonly dataDir: string;
  readonly folders: ClusterFolders;
  readonly runAs: RunAs;
  readonly settings: Readonly<Record<string, string>>;
  readonly log: EmbeddedLog;
}

const privateMode = 0o700;

/** Creates the folders for a data folder and returns their paths. */
export async function clusterFolders(dataDir: string): Promise<ClusterFolders> {
  await mkdir(dataDir, { recursive: true, mode: privateMode });
  const folder = join(await realpath(resolve(dataDir)), "postgres");
  await mkdir(folder, { recursive: true, mode: privateMode });
  const home = await realpath(folder);
  await chmod(home, privateMode).catch(() => {});
  return {
    home,
    data: join(home, "data"),
    log: join(home, "postgres.log"),
    connection: join(home, "connection"),
    native: await nativePackage(join(home, "lib")),
  };
}

/** The longest socket path that every system accepts (macOS 104, Linux 108, one for the final NUL). */
const socketPathBytes = 103;
const shortPrefix = "/tmp/watchfloor-";

/** A fixed name, so that a restart finds the same place; an unguessable one if somebody has taken it. */
async function shortFolder(home: string): Promise<string> {
  const path = shortPrefix + createHash("sha256").update(home).digest("hex").slice(0, 12);
  await mkdir(path, { mode: privateMode }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  const { mode, uid } = await lstat(path);
  const isOurs = uid === process.getuid?.() && (mode & 0o777) === privateMode;
  return isOurs ? path : mkdtemp(shortPrefix);
}

/** The folder for the socket: beside the data, or a private one in /tmp if that path is too long for a socket. */
export async function makeSocketFolder(home: string): Promise<string> {
  const beside = join(home, "socket");
  if (Buffer.byteLength(join(beside, ".s.PGSQL.5432")) > socketPathBytes) return shortFolder(home);
  await mkdir(beside, { recursive: true, mode: privateMode });
  return beside;
}

/** Removes a socket folder of ours in /tmp after use; the one beside the data stays, also where the data is below a folder named like ours. */
export async function dropSocketFolder(folder: string): Promise<void> {
  const isOurs = folder.startsWith(shortPrefix) && dirname(folder) === dirname(shortPrefix);
  if (isOurs) await rm(folder, { recursive: true, force: true });
}

/** The superuser of the embedded Postgres. The server uses it to create its own role (own-cluster.ts). */
export const superuser = "watchfloor";
const passwordFile = "watchfloor-password";
const passwordBytes = 24;

const initArguments = [
  `--username=${superuser}`,
  "--auth=scram-sha-256",
  "--encoding=UTF8",
  "--locale=C",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
  "--no-instructions",
];

/** No creation takes as long: what is older was left behind by a process that was killed. */
const ABANDONED_AFTER_MS = 600_000;

async function dropAbandoned(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (!/^new-\d+-/.test(name)) continue;
    const path = join(home, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs < ABANDONED_AFTER_MS) continue;
    await rm(path, { recursive: true, force: true });
  }
}

async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path);
  await folder.sync();
  await folder.close();
}

async function moveIntoPlace(built: string, folders: ClusterFolders): Promise<void> {
  try {
    await rename(built, folders.data);
    await syncFolder(folders.home);
  } catch (error) {
    if (!existsSync(folders.data)) throw error;
  }
}

async function build(
  temporaryFolder: string,
  folders: ClusterFolders,
  runAs: RunAs,
): Promise<void> {
  const built = join(temporaryFolder, "data");
  const password = join(temporaryFolder, "password");
  await writeFile(password, randomBytes(passwordBytes).toString("hex"), { mode: 0o600 });
  const command = postgresCommand("initdb", folders.native, runAs);
  const result = await runProgram(
    [...command, "-D", built, `--pwfile=${password}`, ...initArguments],
    { cwd: folders.home, env: postgresEnvironment(folders.native) },
  );
  if (!result.ok) throw new Error(`Postgres could not create its data: ${result.output.trim()}`);
  await rename(password, join(built, passwordFile));
  await moveIntoPlace(built, folders);
}

/** Ensures that there is a cluster; returns the password of its superuser. */
export async function initCluster(folders: ClusterFolders, runAs: RunAs): Promise<string> {
  if (!existsSync(folders.data)) {
    await dropAbandoned(folders.home);
    const name = `new-${process.pid}-${randomBytes(4).toString("hex")}`;
    const temporaryFolder = join(folders.home, name);
    await mkdir(temporaryFolder, { mode: privateMode });
    try {
      await build(temporaryFolder, folders, runAs);
    } finally {
      await rm(temporaryFolder, { recursive: true, force: true });
    }
  }
  return (await readFile(join(folders.data, passwordFile), "utf8")).trim();
}
