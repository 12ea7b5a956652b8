import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ClusterFolders, changeOwner } from "./cluster-folders.ts";
import { postgresCommand, postgresSpawn } from "./postgres-command.ts";
import { isAlive } from "./postmaster-file.ts";
import type { RunAs } from "./run-as.ts";
import { runProgram } from "./run-program.ts";

/**
 * Creates the database cluster, once. It is built in a folder of its own and then moved into place, so a
 * crash in the middle leaves nothing that looks like data, and of two processes that build at once exactly
 * one wins.
 */

/** The superuser of the embedded Postgres. The server uses it to create its own role (server-role.ts). */
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

/** A younger one may be that of a server in another container, whose process can't be seen from here. */
const ABANDONED_AFTER_MS = 600_000;

async function dropAbandoned(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const pid = /^new-(\d+)-/.exec(name)?.[1];
    if (!pid || (await isAlive(Number(pid)))) continue;
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
  await changeOwner(password, runAs);
  const command = postgresCommand("initdb", folders, runAs);
  const result = await runProgram(
    [...command, "-D", built, `--pwfile=${password}`, ...initArguments],
    postgresSpawn(folders, runAs),
  );
  if (!result.ok) throw new Error(`Postgres could not create its data: ${result.output.trim()}`);
  await rename(password, join(built, passwordFile));
  await moveIntoPlace(built, folders);
}

/** Ensures that there is a cluster; returns the password of its superuser. */
export async function initCluster(folders: ClusterFolders, runAs: RunAs): Promise<string> {
  if (!existsSync(folders.data)) {
    await dropAbandoned(folders.home);
    const temporaryFolder = join(
      folders.home,
      `new-${process.pid}-${randomBytes(4).toString("hex")}`,
    );
    await mkdir(temporaryFolder, { mode: 0o700 });
    await changeOwner(temporaryFolder, runAs);
    try {
      await build(temporaryFolder, folders, runAs);
    } finally {
      await rm(temporaryFolder, { recursive: true, force: true });
    }
  }
  return (await readFile(join(folders.data, passwordFile), "utf8")).trim();
}
