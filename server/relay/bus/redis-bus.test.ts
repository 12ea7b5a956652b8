import { execFile } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { promisify } from "node:util";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { freePort } from "../../../e2e/provision/free-port.ts";
import { startRedis, type TestRedis } from "../../../e2e/provision/redis.ts";
import { tempFolder } from "../../../e2e/provision/temp-folder.ts";
import { anyChannel, describeBus, until } from "../testing/bus-contract.ts";
import { silentLog } from "../testing/silent-log.ts";
import type { Bus } from "./bus.ts";
import { RedisBus } from "./redis-bus.ts";

let redis: TestRedis;
const namespace = randomUUID();
const key = randomBytes(32);
/** Longer than a probe may take, and than the interval of the probes. */
const BUSY_MS = 5_000;
const a = anyChannel("a");

async function connect(inNamespace = namespace): Promise<Bus> {
  const bus = new RedisBus({ url: redis.url, namespace: inNamespace, key, log: silentLog });
  await until(() => bus.state() === "live");
  return bus;
}

async function pair(): Promise<{
  one: Bus;
  two: Bus;
  received: unknown[];
  close(): Promise<void>;
}> {
  const [one, two] = [await connect(), await connect()];
  const received: unknown[] = [];
  two.subscribe(a, (message) => received.push(message));
  const close = async () => void (await Promise.all([one.close(), two.close()]));
  return { one, two, received, close };
}

/**
 * Sends a message, each second again, until it has the effect. On a busy machine a bus may have been degraded for a moment, and what is sent
 * meanwhile is lost: it is in the log.
 */
async function sendUntil(holds: () => boolean, send: () => unknown): Promise<void> {
  const sending = setInterval(send, 1_000);
  try {
    await send();
    await until(holds);
  } finally {
    clearInterval(sending);
  }
}

/** Somebody who can read and write the channel, without the key. */
async function attacker(channel: string) {
  const [reader, writer] = [createClient({ url: redis.url }), createClient({ url: redis.url })];
  for (const client of [reader, writer]) await client.on("error", () => undefined).connect();
  const captured: Buffer[] = [];
  await reader.subscribe(channel, (message) => captured.push(message), true);
  return {
    captured,
    publish: (message: Buffer) => writer.publish(channel, message),
    async [Symbol.asyncDispose]() {
      reader.destroy();
      writer.destroy();
    },
  };
}

const both = (one: Bus, two: Bus, state: string) => () =>
  one.state() === state && two.state() === state;

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.close());

describeBus("Redis", true, connect);

describe("a Redis bus that others can write to", () => {
  const numbers = { name: "numbers", schema: z.number() };

  test("drops and counts a message that the channel does not accept, and delivers the next", async () => {
    const { one, two, close } = await pair();
    const received: number[] = [];
    two.subscribe(numbers, (message) => received.push(message));
    for (const message of [null, "1", [1], { n: 1 }]) one.publish(anyChannel("numbers"), message);
    one.publish(numbers, 1);
    await until(() => received.length > 0);
    expect(received).toEqual([1]);
    expect(two.rejected()).toEqual({ forged: 0, malformed: 4 });
    await close();
  });

  test("drops and counts what a stranger publishes or alters, and goes on", async () => {
    const { one, two, received, close } = await pair();
    await using outsider = await attacker(`watchfloor:${namespace}`);
    const captured = () => outsider.captured.find((message) => message.includes("first"));
    await sendUntil(
      () => received.length > 0 && captured() !== undefined,
      () => one.publish(a, "first"),
    );
    const altered = String(captured()).replace("first", "other");
    const renamed = String(captured()).replace(" a ", " b ");
    const [, sender] = altered.split(" ");
    for (const forged of [
      `x ${sender} a "forged"`,
      "",
      "x",
      altered,
      renamed,
      randomBytes(60),
      randomBytes(5_000),
      "x".repeat(6_000_000),
    ]) {
      const before = two.rejected().forged;
      await sendUntil(
        () => two.rejected().forged > before,
        () => outsider.publish(Buffer.from(forged)),
      );
    }
    await sendUntil(
      () => received.includes("after"),
      () => one.publish(a, "after"),
    );
    expect([...new Set(received)]).toEqual(["first", "after"]);
    expect(two.rejected().malformed).toBe(0);
    await close();
  });
});

/** Lets a Redis accept TLS on another port, and this process accept its certificate. Returns the port. */
async function enableTls({ url }: TestRedis, folder: string): Promise<number> {
  const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const files = ["-keyout", keyFile, "-out", certFile];
  await promisify(execFile)("openssl", ["req", ...kind, ...subject, ...files]);
  const port = await freePort();
  const client = await createClient({ url }).connect();
  const tls = ["tls-cert-file", certFile, "tls-key-file", keyFile, "tls-auth-clients", "no"];
  const password = ["requirepass", "a word"];
  await client.sendCommand(["CONFIG", "SET", ...tls, ...password, "tls-port", String(port)]);
  client.destroy();
  const trusted = getCACertificates();
  setDefaultCACertificates([...trusted, readFileSync(certFile, "utf8")]);
  onTestFinished(() => setDefaultCACertificates(trusted));
  return port;
}

test("a Redis bus uses the TLS and the password of Redis", async () => {
  const [own, folder] = [await startRedis(), await tempFolder()];
  const port = await enableTls(own, folder.path);
  const url = `rediss://:a%20word@localhost:${port}`;
  const bus = new RedisBus({ url, namespace, key, log: silentLog });
  await until(() => bus.state() === "live");
  await bus.close();
  await own.close();
  folder.drop();
});

describe("a Redis bus in trouble", () => {
  test("logs it once if Redis was never there", async () => {
    const warnings: unknown[] = [];
    const log = { ...silentLog, warn: (...args: unknown[]) => void warnings.push(args) };
    const bus = new RedisBus({ url: "redis://127.0.0.1:1", namespace, key, log });
    await until(() => warnings.length > 0);
    await bus.close();
    expect(warnings).toHaveLength(1);
  });

  test("degrades when Redis stops, still serves its own server, and delivers again after", async () => {
    const { one, two, received, close } = await pair();
    const states: string[] = [];
    one.onState((state) => states.push(state));
    const own: unknown[] = [];
    one.subscribe(a, (message) => own.push(message));
    await redis.stop("SIGKILL");
    await until(both(one, two, "degraded"));
    one.publish(a, "while away");
    expect(own).toEqual(["while away"]);
    await redis.start();
    await until(both(one, two, "live"));
    one.publish(a, "back");
    await until(() => received.length > 0);
    expect(received).toEqual(["back"]);
    expect(states).toEqual(["degraded", "live"]);
    await close();
  });

  test("survives three restarts in a row without a crash or a lost subscription", async () => {
    const { one, two, received, close } = await pair();
    for (let round = 0; round < 3; round += 1) {
      await redis.stop();
      await redis.start();
      await until(() => one.state() === "live" && two.state() === "live");
      one.publish(a, round);
      // a link that has not noticed yet may lose it: only the bus must recover, the log has the change
      await until(() => {
        one.publish(a, round);
        return received.includes(round);
      });
    }
    await close();
  });

  test("detects a frozen Redis by its own probe and recovers when it answers again", async () => {
    const { one, two, received, close } = await pair();
    redis.pause();
    await until(both(one, two, "degraded"));
    redis.resume();
    await until(both(one, two, "live"));
    one.publish(a, "thawed");
    await until(() => received.includes("thawed"));
    await close();
  });

  test("is not degraded by a server that was busy for long", async () => {
    const { one, two, received, close } = await pair();
    const states: string[] = [];
    for (const bus of [one, two]) bus.onState((state) => states.push(state));
    for (let round = 1; round <= 2; round += 1) {
      one.publish(a, `before ${round}`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
      one.publish(a, `after ${round}`);
      await until(() => received.length === 2 * round);
    }
    expect(received).toEqual(["before 1", "after 1", "before 2", "after 2"]);
    expect(states).toEqual([]);
    await close();
  });

  test("starts without Redis, degraded, and connects later", async () => {
    await redis.stop();
    const bus = new RedisBus({ url: redis.url, namespace, key, log: silentLog });
    expect(bus.state()).toBe("degraded");
    await redis.start();
    await until(() => bus.state() === "live");
    await bus.close();
  });

  test("leaves out what is too large for Redis, and delivers what comes after", async () => {
    const { one, two, received, close } = await pair();
    one.publish(a, "x".repeat(5_000_000));
    one.publish(a, "small");
    await until(() => received.length > 0);
    expect(received).toEqual(["small"]);
    expect([one.state(), two.state()]).toEqual(["live", "live"]);
    await close();
  });

  test("does not deliver to another installation on the same Redis", async () => {
    const [mine, other] = [await connect(), await connect(randomUUID())];
    const received: unknown[] = [];
    other.subscribe(a, (message) => received.push(message));
    mine.publish(a, "secret");
    other.publish(a, "own");
    await until(() => received.length > 0);
    expect(received).toEqual(["own"]);
    await Promise.all([mine.close(), other.close()]);
  });
});
