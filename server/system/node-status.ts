import { randomUUID } from "node:crypto";
import { statfs } from "node:fs/promises";
import { hostname } from "node:os";
import { resolve } from "node:path";
import type { NodeStatus } from "../../shared/protocol/system.ts";
import type { Config } from "../config/config.ts";
import { buildVersion } from "../config/version.ts";
import type { StatementTimes } from "../store/statement-times.ts";
import type { ErrorCounts } from "./error-counts.ts";
import { measureEventLoop } from "./event-loop-delay.ts";

export interface NodeStatusDeps {
  config: Pick<Config, "port" | "databaseUrl" | "dataDir" | "backupDir">;
  isLeader: () => boolean;
  connections: () => number;
  waitingMutations: () => number;
  feedLag: () => Promise<Record<string, number>>;
  errors: ErrorCounts;
  statements: StatementTimes;
}

/** Tables whose lag is published; the rest of a very large model is left out. */
const LAGGING_MAX = 500;
const SLOW_MAX = 20;

/** Reads the status of this process. `stop` ends its measurement. */
export function createNodeStatus(deps: NodeStatusDeps) {
  const id = randomUUID();
  const startedAt = new Date().toISOString();
  const loop = measureEventLoop();
  return {
    id,
    stop: loop.stop,
    async read(): Promise<NodeStatus> {
      // With the store away the lag is unknown, and everything else is still of use.
      const lags = await deps.feedLag().catch((): Record<string, number> => ({}));
      const behind = Object.entries(lags).filter(([, lag]) => lag > 0);
      return {
        id,
        host: `${hostname()}:${deps.config.port}`,
        version: buildVersion,
        startedAt,
        isLeader: deps.isLeader(),
        connections: deps.connections(),
        waitingMutations: deps.waitingMutations(),
        memoryBytes: process.memoryUsage().rss,
        loopDelayMs: loop.delayMs(),
        disks: await readDisks(deps.config),
        lag: Object.fromEntries(behind.slice(0, LAGGING_MAX)),
        errors: deps.errors.list(),
        slow: deps.statements.list().slice(0, SLOW_MAX),
      };
    },
  };
}

/** The disks that this server writes to. A folder that can't be read has none. */
export async function readDisks({
  databaseUrl,
  dataDir,
  backupDir,
}: Omit<NodeStatusDeps["config"], "port">): Promise<NodeStatus["disks"]> {
  const places = [
    ...(databaseUrl ? [] : [{ place: "data" as const, path: dataDir }]),
    ...(backupDir ? [{ place: "backups" as const, path: backupDir }] : []),
  ];
  const found = await Promise.all(
    places.map(async ({ place, path }) => {
      const stats = await statfs(resolve(path)).catch(() => null);
      if (!stats) return [];
      const { bavail, blocks, bsize } = stats;
      return [{ place, freeBytes: bavail * bsize, totalBytes: blocks * bsize }];
    }),
  );
  return found.flat();
}
