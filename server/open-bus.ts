import type { Logger } from "pino";
import { type Config, redisRisk } from "./config/config.ts";
import type { Bus } from "./relay/bus/bus.ts";
import { createInProcessBus } from "./relay/bus/in-process-bus.ts";
import type { Database } from "./store/database.ts";
import { readInstallation } from "./store/installation.ts";

/** The bus between servers: Redis if it is configured, else within this process. */
export async function openBus({ redisUrl }: Config, database: Database, log: Logger): Promise<Bus> {
  if (!redisUrl) return createInProcessBus(log);
  const risk = redisRisk(redisUrl);
  if (risk) log.warn(`${risk.message} ${risk.advice}`);
  const { id, busKey } = await readInstallation(database);
  // Imported late: Redis' client is a third of all modules, and most installations run without it.
  const { RedisBus } = await import("./relay/bus/redis-bus.ts");
  return new RedisBus({ url: redisUrl, namespace: id, key: busKey, log });
}
