import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Database } from "../database.ts";
import { BUILD_LOCK_TIMEOUT_MS } from "./run-patiently.ts";

/** Different from the locks in advisory-lock.ts: servers build while another one prepares its start. */
export const BUILDER_LOCK = 7_244_804;
const TRY_EVERY_MS = 250;

/**
 * Does work on a connection of its own, on one server at a time. Null if another server still builds after 20 s. It asks
 * for the lock again and again: a statement that waits for it would hold a snapshot, for which the concurrent build of
 * the lock's holder waits in turn.
 */
export async function onBuilder<Result>(
  database: Database,
  work: (builder: pg.Client) => Promise<Result>,
): Promise<Result | null> {
  const builder = await database.connect({
    name: "watchfloor builder",
    lockTimeoutMs: BUILD_LOCK_TIMEOUT_MS,
  });
  try {
    const deadline = performance.now() + BUILD_LOCK_TIMEOUT_MS;
    while (!(await tryLock(builder))) {
      if (performance.now() > deadline) return null;
      await sleep(TRY_EVERY_MS);
    }
    return await work(builder);
  } finally {
    await builder.end();
  }
}

async function tryLock(builder: pg.Client): Promise<boolean> {
  const { rows } = await builder.query<{ got: boolean }>("select pg_try_advisory_lock($1) as got", [
    BUILDER_LOCK,
  ]);
  return rows[0]?.got === true;
}
