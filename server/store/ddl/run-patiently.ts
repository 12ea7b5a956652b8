import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Database } from "../database.ts";
import type { Sql } from "./field-ddl.ts";

/** How long a build waits for the transactions of other programs. */
export const BUILD_LOCK_TIMEOUT_MS = 20_000;
/** Everybody who waits for our lock waits behind us: so we stop waiting soon, let them pass, and retry. */
export const LOCK_TIMEOUT_MS = 400;
const ATTEMPTS = 40;
const PAUSE_MS = 150;
export const LOCK_NOT_AVAILABLE = "55P03";
/** With a deadlock, and a serialisation failure. */
const busyCodes = new Set([LOCK_NOT_AVAILABLE, "40P01", "40001"]);

/** Repeats what was refused because others were faster. */
export async function patiently<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = ATTEMPTS; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (left <= 1 || !busyCodes.has((error as { code?: string }).code ?? "")) throw error;
      await sleep(PAUSE_MS * (0.5 + Math.random()));
    }
  }
}

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
  const run = async () => (await builder.query(text)).rowCount ?? 0;
  return isConcurrent ? run() : patiently(run);
}
