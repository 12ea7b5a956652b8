import type { Logger } from "pino";
import type { Config } from "./config/config.ts";
import type { Bus } from "./relay/bus/bus.ts";
import { createInProcessBus } from "./relay/bus/in-process-bus.ts";
import type { Database } from "./store/database.ts";
import { followClock, readInstallation } from "./store/installation.ts";

/** The bus between servers: Redis if it is configured, else within this process. */
export async function openBus({ redisUrl }: Config, database: Database, log: Logger): Promise<Bus> {
  if (!redisUrl) return createInProcessBus(log);
  const { id, busKey } = await readInstallation(database);
  const clock = await followClock(database);
  // Imported late: Redis' client is a third of all modules, and most installations run without it.
  const { RedisBus } = await import("./relay/bus/redis-bus.ts");
  return new RedisBus({ url: redisUrl, namespace: id, key: busKey, clock, log });
}
