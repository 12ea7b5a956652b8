import { systemDatabase } from "../provision/databases.ts";
import { startRedis } from "../provision/redis.ts";
import { converge } from "./converge.ts";

converge("two servers with Postgres and Redis", async () => ({
  kind: systemDatabase,
  nodes: 2,
  redis: await startRedis(),
}));
