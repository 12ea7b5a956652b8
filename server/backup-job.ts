import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Limits } from "../shared/limits.ts";
import { requireWritableFolder } from "./config/writable-folder.ts";
import { claimBackup, recordFailure, recordSuccess } from "./store/backup/scheduled-backup.ts";
import { writeBackup } from "./store/backup/write-backup.ts";
import type { Database } from "./store/database.ts";

/** How soon a failed backup is tried again. */
const RETRY_MS = 600_000;
const CHECK_MS = 60_000;

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
  const stopping = new AbortController();
  const { signal } = stopping;
  const { database, isLeader, limits, log } = deps;
  const interval = limits.BACKUP_INTERVAL_MS;
  const retry = Math.min(RETRY_MS, interval);
  const run = async () => {
    for (; ; await sleep(Math.min(CHECK_MS, interval), undefined, { signal })) {
      if (!isLeader()) continue;
      try {
        const isClaimed = await claimBackup(database.kysely, interval, retry);
        if (isClaimed) await makeBackup(deps, signal);
      } catch (err) {
        if (!signal.aborted) log.error({ err }, "the scheduled backup failed");
      }
    }
  };
  const running = run().catch(() => undefined);
  return async () => {
    stopping.abort();
    await running;
  };
}

async function makeBackup(
  { database, folder, version, limits, log }: BackupJobDeps,
  signal: AbortSignal,
): Promise<void> {
  const file = join(folder, `watchfloor-${new Date().toISOString().replaceAll(":", "-")}.backup`);
  try {
    await requireWritableFolder("WATCHFLOOR_BACKUP_DIR", folder);
    const written = await writeBackup(database, file, version, signal);
    await recordSuccess(database.kysely, file, written);
    log.info({ file, bytes: written.bytes }, "a scheduled backup was written");
    await removeOld(folder, limits.BACKUP_KEEP_FILES);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (!signal.aborted) await recordFailure(database.kysely, reason);
    throw error;
  }
}

/** Only files of this job, by their names; also parts that a killed server left behind. */
async function removeOld(folder: string, retained: number): Promise<void> {
  const ours = (await readdir(folder)).filter((name) => /^watchfloor-\d{4}-.*Z\.backup/.test(name));
  const whole = ours.filter((name) => name.endsWith(".backup")).sort();
  const old = whole.slice(0, Math.max(0, whole.length - retained));
  const parts = ours.filter((name) => name.endsWith(".partial"));
  for (const name of [...old, ...parts]) await rm(join(folder, name), { force: true });
}
