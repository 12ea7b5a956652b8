import { setTimeout as sleep } from "node:timers/promises";
import { withBenchEnvironment } from "./load/bench-environment.ts";
import { cpuTimeOf } from "./load/cpu-time.ts";
import type { Finding } from "./load/report.ts";

/**
 * CPU of server and Postgres while nobody does anything: polls, checks of connections, timers. A user's lone edit pays for
 * it as well, because each wake-up displaces what the processor has cached.
 */
const AFTER_START_MS = 15_000;
const SECONDS = 30;
const BOUND_MS_PER_SECOND = 20;

export function idle(): Promise<Finding[]> {
  return withBenchEnvironment({ nodes: 1 }, async ({ pids }) => {
    await sleep(AFTER_START_MS);
    const cpu = () => cpuTimeOf([...pids.servers, pids.postgres]) ?? Number.NaN;
    const before = cpu();
    await sleep(SECONDS * 1_000);
    return [
      {
        what: "CPU of an idle server with its Postgres",
        floor: BOUND_MS_PER_SECOND,
        product: (cpu() - before) / SECONDS,
        unit: "ms/s",
        names: ["bound", "product"],
        target: { most: 1 },
      },
    ];
  });
}
