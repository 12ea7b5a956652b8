import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Model } from "../shared/model/model.ts";
import { endInterruption, endOwnInterruption, findInterruptions } from "./store/capture-check.ts";
import type { Database } from "./store/database.ts";
import { untilStopped } from "./store/every.ts";

const CHECK_INTERVAL_MS = 10_000;
const LEADER_CHECK_MS = 500;

interface CaptureJob {
  /** How often capture was found interrupted, by table, since this server started. Zero for the others. */
  interruptions(): Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

/**
 * Finds within seconds that triggers are off, or were, so that changes may have bypassed the log (capture-check.ts). One server, the leader, looks
 * for all.
 */
export function startCaptureJob({
  database,
  model,
  isLeader,
  log,
}: {
  database: Database;
  model: () => Model;
  isLeader: () => boolean;
  log: Pick<Logger, "warn" | "error">;
}): CaptureJob {
  const counts = new Map<string, number>();

  const check = async () => {
    const triggers = await endOwnInterruption(database);
    if (triggers.length > 0) log.error({ triggers }, "triggers were disabled; they are enabled");
    for (const found of await findInterruptions(database.kysely)) {
      const { table, isOff } = found;
      await endInterruption(database, found).then(
        () => {
          counts.set(table, (counts.get(table) ?? 0) + 1);
          log.error({ table, isOff }, "triggers were disabled: changes may be missing in the log");
        },
        (err: unknown) => log.warn({ err, table, isOff }, "an interruption of capture goes on"),
      );
    }
  };

  const stop = untilStopped(async (signal) => {
    for (; !signal.aborted; await sleep(CHECK_INTERVAL_MS, undefined, { signal })) {
      while (!isLeader()) await sleep(LEADER_CHECK_MS, undefined, { signal });
      await check().catch((err: unknown) => log.warn({ err }, "triggers were not compared"));
    }
  });
  const names = () => [...model().tables.map(({ name }) => name), ...counts.keys()];
  return {
    interruptions: () =>
      Object.fromEntries(names().map((name) => [name, counts.get(name) ?? 0] as const)),
    stop,
  };
}
