import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Database } from "../database.ts";
import type { Sql } from "./field-ddl.ts";

/** How long a build waits for the transactions of other programs. */
export const BUILD_LOCK_TIMEOUT_MS = 20_000;
/** Everybody who waits for the lock of a table waits behind us: so it is released and retried. */
const LOCK_TIMEOUT_MS = 400;
const ATTEMPTS = 40;
const PAUSE_MS = 150;
export const LOCK_NOT_AVAILABLE = "55P03";

/** Runs a statement that alters or builds without delaying others for long. Returns how many rows it returned. */
export async function runPatiently(
  { kysely }: Database,
  builder: pg.Client,
  statement: Sql,
): Promise<number> {
  const text = statement.compile(kysely).sql;
  const isConcurrent = text.includes("index concurrently");
  const timeoutMs = isConcurrent ? BUILD_LOCK_TIMEOUT_MS : LOCK_TIMEOUT_MS;
  await builder.query(`set lock_timeout = ${timeoutMs}`);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return (await builder.query(text)).rowCount ?? 0;
    } catch (error) {
      const isBusy = (error as { code?: string }).code === LOCK_NOT_AVAILABLE;
      if (!isBusy || isConcurrent || attempt >= ATTEMPTS) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
