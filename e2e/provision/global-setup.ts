import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres.ts";
import { startRedis } from "./redis.ts";
import { sweepAbandoned } from "./temp-folder.ts";
import type { TestPostgres } from "./test-postgres.ts";

/** Starts what integration tests share, passes them its addresses, and stops it when all have run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  sweepAbandoned();
  const [embedded, system, redis] = await Promise.all([
    startPostgres({ which: "embedded" }),
    startPostgres({ which: "system" }),
    startRedis(),
  ]);
  const urls = ({ url, adminUrl }: TestPostgres) => ({ url, adminUrl });
  project.provide("postgresUrls", { embedded: urls(embedded), system: urls(system) });
  const tcp = system.tcpUrl ?? system.url;
  project.provide("postgresTcp", { url: tcp, adminUrl: tcp });
  project.provide("redisUrl", redis.url);
  return async () => {
    await Promise.all([embedded.close(), system.close(), redis.close()]);
  };
}
