import { type Config, redisRisk } from "../../config/config.ts";
import { probeRedis } from "../../relay/bus/probe-redis.ts";
import { type Finding, findingsOf, hostOf } from "./finding.ts";

/** Faults of Redis. `installation` is the id of ours, if the database could be read. */
export async function checkRedis(
  { redisUrl }: Pick<Config, "redisUrl">,
  installation: string | null,
): Promise<Finding[]> {
  if (!redisUrl) return [];
  const risk = redisRisk(redisUrl);
  const ofAddress = risk ? [findingsOf("redis").warning(risk.message, risk.advice)] : [];
  return [...ofAddress, ...(await checkServer(redisUrl, installation))];
}

async function checkServer(redisUrl: string, installation: string | null): Promise<Finding[]> {
  const { fault, warning } = findingsOf("redis");
  const host = hostOf(redisUrl);
  try {
    const { keys, channels } = await probeRedis(redisUrl);
    const others = channels.filter((name) => name !== `watchfloor:${installation}`);
    if (keys > 0) {
      const message = `Redis at ${host} also holds ${keys} keys of other programs: what they do can slow the messages between servers.`;
      return [warning(message, "Give Watchfloor a Redis of its own. It stores nothing there.")];
    }
    if (installation !== null && others.length > 0) {
      const message = `Redis at ${host} is shared with another installation of Watchfloor.`;
      const advice =
        "Their messages can't mix, but one can read those of the other, and slow it. Give each its own.";
      return [warning(message, advice)];
    }
    return [];
  } catch (error) {
    const { message } = error as Error;
    if (/^(WRONGPASS|NOAUTH|ERR AUTH|NOPERM)/.test(message)) {
      const refused = `Redis at ${host} refuses the password of REDIS_URL or REDIS_PASSWORD.`;
      return [fault(refused, "Set REDIS_PASSWORD to the password of Redis (requirepass).")];
    }
    const away = `Redis at ${host} does not answer (${message}). Screens of several servers are slow without it.`;
    return [fault(away, "Start Redis, or correct REDIS_URL.")];
  }
}
