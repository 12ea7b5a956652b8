import { setTimeout as sleep } from "node:timers/promises";
import { AdvisoryLock } from "./advisory-lock.ts";
import type { Database } from "./database.ts";

const POLL_MS = 50;
const PROGRESS_MS = 5_000;

/**
 * Runs the preparation of a database (migrations, the first owner, the template) on one server at a time:
 * servers that start together wait for each other and find it done.
 */
export async function underStartLock<T>(
  database: Database,
  log: { info(message: string): void },
  work: () => Promise<T>,
): Promise<T> {
  const lock = new AdvisoryLock(database, "start");
  try {
    for (let waited = 0; ; waited += POLL_MS) {
      const lease = await lock.tryAcquire();
      if (lease) return await work().finally(() => lease.release());
      if (waited % PROGRESS_MS === 0) log.info("another server prepares the database; waiting");
      await sleep(POLL_MS);
    }
  } finally {
    await lock.close();
  }
}
