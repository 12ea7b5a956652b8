import { readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Limits } from "../shared/limits.ts";
import { requireWritableFolder } from "./config/writable-folder.ts";
import { claimBackup, recordFailure, recordSuccess } from "./store/backup/scheduled-backup.ts";
import { writeBackup } from "./store/backup/write-backup.ts";
import type { Database } from "./store/database.ts";
import { untilStopped } from "./store/every.ts";

/** How soon a failed backup is tried again. A file that nobody wrote to for so long is a part of one that was given up. */
const RETRY_MS = 600_000;
const CHECK_MS = 60_000;
const LEADER_CHECK_MS = 500;

export interface BackupJobDeps {
  database: Database;
  /** Where they are written. */
  folder: string;
  version: string;
  /** One server makes them for all. */
  isLeader: () => boolean;
  limits: Pick<Limits, "BACKUP_INTERVAL_MS" | "BACKUP_KEEP_FILES">;
  log: Pick<Logger, "info" | "error">;
}

/** Writes a backup at intervals and deletes the oldest. Returns a function that stops, also in the middle of one. */
export function startBackupJob(deps: BackupJobDeps): () => Promise<void> {
  const { database, isLeader, limits, log } = deps;
  const interval = limits.BACKUP_INTERVAL_MS;
  const retry = Math.min(RETRY_MS, interval);
  return untilStopped(async (signal) => {
    for (; ; await sleep(Math.min(CHECK_MS, interval), undefined, { signal })) {
      if (!isLeader()) continue;
      try {
        const claim = await claimBackup(database.kysely, interval, retry);
        if (claim !== null) await makeBackup(deps, claim, retry, signal);
      } catch (err) {
        if (!signal.aborted) log.error({ err }, "the scheduled backup failed");
      }
    }
  });
}

async function makeBackup(
  { database, folder, version, isLeader, limits, log }: BackupJobDeps,
  claim: string,
  retryMs: number,
  stopping: AbortSignal,
): Promise<void> {
  const file = join(folder, `watchfloor-${new Date().toISOString().replaceAll(":", "-")}.backup`);
  const deposed = new AbortController();
  const watching = setInterval(() => {
    if (!isLeader()) deposed.abort();
  }, LEADER_CHECK_MS);
  const signal = AbortSignal.any([stopping, deposed.signal]);
  try {
    await requireWritableFolder("WATCHFLOOR_BACKUP_DIR", folder);
    await removeAbandoned(folder, retryMs);
    const written = await writeBackup(database, file, version, signal);
    await recordSuccess(database.kysely, claim, file, written);
    log.info({ file, bytes: written.bytes }, "a scheduled backup was written");
    await removeOld(folder, basename(file), limits.BACKUP_KEEP_FILES);
  } catch (error) {
    if (deposed.signal.aborted) return log.info({ file }, "another server makes the backup");
    const reason = error instanceof Error ? error.message : String(error);
    if (!signal.aborted) await recordFailure(database.kysely, claim, reason);
    throw error;
  } finally {
    clearInterval(watching);
  }
}

/** Only files of this job, by their names. */
const filesOf = async (folder: string, ending: string) =>
  (await readdir(folder)).filter(
    (name) => /^watchfloor-\d{4}-.*Z\.backup/.test(name) && name.endsWith(ending),
  );

/** Files with a later time than the newest were written before the clock was set back: they count as the oldest. */
async function removeOld(folder: string, newest: string, retained: number): Promise<void> {
  const whole = (await filesOf(folder, ".backup")).sort();
  const inOrder = [
    ...whole.filter((name) => name > newest),
    ...whole.filter((name) => name <= newest),
  ];
  const old = inOrder.slice(0, Math.max(0, whole.length - retained));
  for (const name of old) await rm(join(folder, name), { force: true });
}

/** Parts that a killed server left behind, before another one is written: together they could fill the disk. */
async function removeAbandoned(folder: string, untouchedMs: number): Promise<void> {
  for (const name of await filesOf(folder, ".partial")) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found && Date.now() - found.mtimeMs > untouchedMs) await rm(path, { force: true });
  }
}
