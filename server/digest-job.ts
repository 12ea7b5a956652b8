import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Limits } from "../shared/limits.ts";
import type { Model } from "../shared/model/model.ts";
import type { Database } from "./store/database.ts";
import { checkTable } from "./store/digests/check-table.ts";
import { repairCapture } from "./store/digests/repair-capture.ts";
import { repairTriggers } from "./store/digests/repair-triggers.ts";
import { untilStopped } from "./store/every.ts";

/** Comparing takes at most a tenth of one connection's time. */
const REST_PER_COST = 9;
const LEADER_CHECK_MS = 500;

interface DigestJob {
  /** Records per table that were found changed without a log entry, since this server started. */
  bypassed(): Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

/**
 * Repeatedly compares every table with the change log, to find changes that bypassed the triggers: while they
 * were disabled, or by restoring a table. A second leader, during a change of leaders, is harmless: each
 * finding is compared again under a lock before it is entered.
 */
export function startDigestJob({
  database,
  model,
  isLeader,
  limits,
  log,
}: {
  database: Database;
  model: () => Model;
  /** One server compares for all. */
  isLeader: () => boolean;
  limits: Pick<Limits, "DIGEST_INTERVAL_MS">;
  log: Pick<Logger, "warn" | "error">;
}): DigestJob {
  const bypassed: Record<string, number> = {};

  const check = async (name: string, signal: AbortSignal) => {
    const { version, tables } = model();
    const table = tables.find((one) => one.name === name);
    if (!table) return;
    if (await repairCapture(database, name)) {
      log.error(
        { table: name },
        "capture triggers were missing, disabled or altered; they were installed again",
      );
    }
    const rest = (tookMs: number) => sleep(tookMs * REST_PER_COST, undefined, { signal });
    const records = await checkTable({ database, rest }, table, version);
    if (records.length === 0) return;
    bypassed[name] = (bypassed[name] ?? 0) + records.length;
    const named = { table: name, count: records.length, records: records.slice(0, 100) };
    log.error(named, "records were changed past the change log");
  };

  const repair = async () => {
    const triggers = await repairTriggers(database);
    if (triggers.length > 0) {
      log.error({ triggers }, "triggers were disabled; they were enabled again");
    }
  };

  const stop = untilStopped(async (signal) => {
    for (; !signal.aborted; await sleep(limits.DIGEST_INTERVAL_MS, undefined, { signal })) {
      while (!isLeader()) await sleep(LEADER_CHECK_MS, undefined, { signal });
      await repair().catch(
        (err: unknown) =>
          signal.aborted || log.warn({ err }, "disabled triggers were not enabled again"),
      );
      for (const { name } of model().tables) {
        if (!isLeader()) break;
        await check(name, signal).catch((err: unknown) => {
          if (!signal.aborted) log.warn({ err, table: name }, "a table was not compared");
        });
      }
    }
  });
  return { bypassed: () => bypassed, stop };
}
