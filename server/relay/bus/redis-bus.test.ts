import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startRedis, type TestRedis } from "../../../e2e/provision/redis.ts";
import { describeBus, until } from "../testing/bus-contract.ts";
import { silentLog } from "../testing/silent-log.ts";
import type { Bus } from "./bus.ts";
import { createRedisBus } from "./redis-bus.ts";

let redis: TestRedis;
const namespace = randomUUID();

async function connect(inNamespace = namespace): Promise<Bus> {
  const bus = createRedisBus({ url: redis.url, namespace: inNamespace, log: silentLog });
  await until(() => bus.state() === "live");
  return bus;
}

async function pair(): Promise<{ one: Bus; two: Bus; heard: unknown[]; close(): Promise<void> }> {
  const [one, two] = [await connect(), await connect()];
  const heard: unknown[] = [];
  two.subscribe("a", (message) => heard.push(message));
  const close = async () => void (await Promise.all([one.close(), two.close()]));
  return { one, two, heard, close };
}

const both = (one: Bus, two: Bus, state: string) => () =>
  one.state() === state && two.state() === state;

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.close());

describeBus("Redis", true, connect);

describe("a Redis bus in trouble", () => {
  test("says so once where Redis was never there", async () => {
    const warnings: unknown[] = [];
    const log = { ...silentLog, warn: (...said: unknown[]) => void warnings.push(said) };
    const bus = createRedisBus({ url: "redis://127.0.0.1:1", namespace, log });
    await until(() => warnings.length > 0);
    await bus.close();
    expect(warnings).toHaveLength(1);
  });

  test("degrades when Redis stops, still serves its own node, and delivers again after", async () => {
    const { one, two, heard, close } = await pair();
    const states: string[] = [];
    one.onState((state) => states.push(state));
    const own: unknown[] = [];
    one.subscribe("a", (message) => own.push(message));
    await redis.stop("SIGKILL");
    await until(both(one, two, "degraded"));
    one.publish("a", "while away");
    expect(own).toEqual(["while away"]);
    await redis.start();
    await until(both(one, two, "live"));
    one.publish("a", "back");
    await until(() => heard.length > 0);
    expect(heard).toEqual(["back"]);
    expect(states).toEqual(["degraded", "live"]);
    await close();
  });

  test("survives three restarts in a row without a crash or a lost subscription", async () => {
    const { one, two, heard, close } = await pair();
    for (let round = 0; round < 3; round += 1) {
      await redis.stop();
      await redis.start();
      await until(() => one.state() === "live" && two.state() === "live");
      one.publish("a", round);
      // a link that has not noticed yet may lose it: the log is the truth, the bus only must recover
      await until(() => {
        one.publish("a", round);
        return heard.includes(round);
      });
    }
    await close();
  });

  test("notices a frozen Redis by its own probe and comes back when it answers again", async () => {
    const { one, two, heard, close } = await pair();
    redis.pause();
    await until(both(one, two, "degraded"));
    redis.resume();
    await until(both(one, two, "live"));
    one.publish("a", "thawed");
    await until(() => heard.includes("thawed"));
    await close();
  });

  test("starts without Redis, degraded, and finds it later", async () => {
    await redis.stop();
    const bus = createRedisBus({ url: redis.url, namespace, log: silentLog });
    expect(bus.state()).toBe("degraded");
    await redis.start();
    await until(() => bus.state() === "live");
    await bus.close();
  });

  test("what is too large for Redis is left out, and what comes after arrives", async () => {
    const { one, two, heard, close } = await pair();
    one.publish("a", "x".repeat(5_000_000));
    one.publish("a", "small");
    await until(() => heard.length > 0);
    expect(heard).toEqual(["small"]);
    expect([one.state(), two.state()]).toEqual(["live", "live"]);
    await close();
  });

  test("another deployment on the same Redis hears nothing", async () => {
    const [mine, other] = [await connect(), await connect(randomUUID())];
    const heard: unknown[] = [];
    other.subscribe("a", (message) => heard.push(message));
    mine.publish("a", "secret");
    other.publish("a", "own");
    await until(() => heard.length > 0);
    expect(heard).toEqual(["own"]);
    await Promise.all([mine.close(), other.close()]);
  });
});
