import { afterEach, describe, expect, test } from "vitest";
import type { Bus } from "./bus/bus.ts";
import { createInProcessBus } from "./bus/in-process-bus.ts";
import type { FeedLog } from "./feed-log.ts";
import { FEEDS_CHANNEL } from "./feed-messages.ts";
import { FeedTails } from "./feed-tails.ts";
import { ArrayLog } from "./testing/array-log.ts";
import { until } from "./testing/bus-contract.ts";
import { markKey } from "./testing/mark-key.ts";
import { isDense, listen, ready, TestLock, TestRelays } from "./testing/relay-environment.ts";
import { silentLog } from "./testing/silent-log.ts";

const relays = new TestRelays();
afterEach(() => relays.stop());

describe("P6 one server publishes what was committed", () => {
  test("a hint publishes at once, and many hints publish everything once", async () => {
    const [log, bus] = [new ArrayLog("t"), createInProcessBus(silentLog)];
    const spans = listen(bus);
    const relay = await ready(bus, () => relays.start(log, bus, new TestLock()));
    for (let n = 0; n < 40; n += 1) {
      log.write("t", "r", { n });
      relay.hint("t");
      if (n % 7 === 0) await Promise.resolve();
    }
    await until(() => spans.at(-1)?.to === 40);
    expect(isDense(spans, 40)).toBe(true);
  });

  test("a large transaction is published in bounded spans", async () => {
    const [log, bus] = [new ArrayLog("t"), createInProcessBus(silentLog)];
    const spans = listen(bus);
    const relay = await ready(bus, () => relays.start(log, bus, new TestLock()));
    for (let n = 0; n < 1_700; n += 1) log.write("t", "r", { n });
    relay.hint("t");
    await until(() => spans.at(-1)?.to === 1_700);
    expect(isDense(spans, 1_700)).toBe(true);
    expect(Math.max(...spans.map(({ changes }) => changes.length))).toBeLessThanOrEqual(500);
  });

  test("a poll finds changes without a hint, also in a new feed", async () => {
    const [log, bus] = [new ArrayLog("t"), createInProcessBus(silentLog)];
    const spans = listen(bus);
    await ready(bus, () => relays.start(log, bus, new TestLock(), 5));
    log.write("t", "r", { n: 1 });
    await until(() => spans.length === 1);
    log.create("later");
    await until(() => {
      log.write("later", "r", { n: 1 });
      return spans.some(({ table }) => table === "later");
    });
  });

  test("a removed table is in no heads, and no server holds its tail", async () => {
    const [log, bus] = [new ArrayLog("t", "removed"), createInProcessBus(silentLog)];
    const heads: string[][] = [];
    bus.subscribe(FEEDS_CHANNEL, (message) => {
      if ("heads" in message) heads.push(message.heads.map(({ table }) => table));
    });
    await ready(bus, () => relays.start(log, bus, new TestLock(), 5));
    const limits = { RING_MAX_CHANGES: 100, RING_MAX_BYTES: 1_000_000, RELAY_POLL_MS: 60_000 };
    const deps = { log, bus, logger: silentLog, markKey };
    const tails = new FeedTails({ ...deps, limits: { ...limits, REPLAY_MAX_CHANGES: 100 } });
    await tails.start();
    expect(tails.get("removed")).toBeDefined();
    log.remove("removed");
    log.create("later");
    await until(() => heads.at(-1)?.includes("later") ?? false);
    expect(heads.at(-1)).toEqual(["t", "later"]);
    await until(() => tails.get("removed") === undefined);
    expect(tails.get("t")).toBeDefined();
    tails.stop();
  });

  test("a hint of another server wakes the leader over the bus", async () => {
    const [log, bus, lock] = [new ArrayLog("t"), createInProcessBus(silentLog), new TestLock()];
    const spans = listen(bus);
    await ready(bus, () => relays.start(log, bus, lock));
    const follower = relays.start(log, bus, lock);
    log.write("t", "r", { n: 1 });
    follower.hint("t");
    await until(() => spans.length === 1);
    expect(follower.isLeader()).toBe(false);
  });
});

describe("P11 a leader does not publish more than is replayed", () => {
  test("of a larger transaction it publishes the head, and later commits behind it", async () => {
    const [log, bus] = [new ArrayLog("t"), createInProcessBus(silentLog)];
    const spans = listen(bus);
    const heads: number[] = [];
    bus.subscribe(FEEDS_CHANNEL, (message) => {
      if ("heads" in message) heads.push(...message.heads.map(({ head }) => head));
    });
    const relay = await ready(bus, () => relays.start(log, bus, new TestLock(), 60_000, 600));
    for (let n = 0; n < 601; n += 1) log.write("t", "r", { n });
    relay.hint("t");
    await until(() => heads.at(-1) === 601);
    log.write("t", "r", { n: 601 });
    relay.hint("t", await log.readSpan("t", 601, 1));
    expect(spans.map(({ from, to }) => [from, to])).toEqual([[601, 602]]);
  });
});

describe("P10 a server that can't know the current data knows that it can't", () => {
  test("a leader that can't read the log sends no heads, and every server is outdated until it can", async () => {
    const [log, bus] = [new ArrayLog("t"), createInProcessBus(silentLog)];
    const limits = {
      RELAY_POLL_MS: 20,
      RING_MAX_CHANGES: 10,
      RING_MAX_BYTES: 1_000_000,
      REPLAY_MAX_CHANGES: 5_000,
    };
    const tails = new FeedTails({
      log,
      bus,
      logger: silentLog,
      markKey,
      limits,
      outdatedAfterMs: 2_500,
    });
    const reasons: unknown[] = [];
    tails.onDegradedChange(() => reasons.push(tails.degradedReason()));
    await tails.start();
    await ready(bus, () => relays.start(log, bus, new TestLock(), 20));
    log.isUnavailable = true;
    await until(() => reasons.length > 0);
    log.isUnavailable = false;
    await until(() => reasons.length > 1);
    expect(reasons).toEqual(["store", null]);
    tails.stop();
  });

  test("a server whose log refuses to be read says so long before the data count as old", async () => {
    const [log, bus] = [new ArrayLog("t"), createInProcessBus(silentLog)];
    const limits = { RELAY_POLL_MS: 20, RING_MAX_CHANGES: 10, RING_MAX_BYTES: 1_000_000 };
    const tails = new FeedTails({
      ...{ log, bus, logger: silentLog, markKey, outdatedAfterMs: 600_000 },
      limits: { ...limits, REPLAY_MAX_CHANGES: 5_000 },
    });
    const reasons: unknown[] = [];
    tails.onDegradedChange(() => reasons.push(tails.degradedReason()));
    await tails.start();
    await ready(bus, () => relays.start(log, bus, new TestLock(), 20));
    log.isUnavailable = true;
    await until(() => reasons.length > 0);
    log.isUnavailable = false;
    await until(() => reasons.length > 1);
    expect(reasons).toEqual(["store", null]);
    tails.stop();
  });

  test("a server that lost a span and can't read the log is outdated, though it still hears heads", async () => {
    const [log, bus] = [new ArrayLog("t"), createInProcessBus(silentLog)];
    let isCut = false;
    const line = async <T>(read: Promise<T>): Promise<T> => {
      if (isCut) throw new Error("the line of this node is cut");
      return read;
    };
    const own: FeedLog = {
      readFeedStates: () => line(log.readFeedStates()),
      readSpan: (...args) => line(log.readSpan(...args)),
      holds: (...args) => line(log.holds(...args)),
      abandonEpoch: (...args) => line(log.abandonEpoch(...args)),
    };
    const subscribe: Bus["subscribe"] = (channel, handler) =>
      bus.subscribe(channel, (message) => {
        const isSpan = typeof message === "object" && message !== null && "span" in message;
        if (!(isCut && isSpan)) handler(message);
      });
    const limits = {
      RELAY_POLL_MS: 20,
      RING_MAX_CHANGES: 10,
      RING_MAX_BYTES: 1_000_000,
      REPLAY_MAX_CHANGES: 5_000,
    };
    const losing = { ...bus, subscribe };
    const tails = new FeedTails({ log: own, bus: losing, logger: silentLog, markKey, limits });
    const reasons: unknown[] = [];
    tails.onDegradedChange(() => reasons.push(tails.degradedReason()));
    await tails.start();
    const leader = await ready(bus, () => relays.start(log, bus, new TestLock(), 20));
    isCut = true;
    log.write("t", "r", { n: 1 });
    leader.hint("t");
    await until(() => reasons.length > 0);
    expect(tails.get("t")?.seq).toBe(0);
    isCut = false;
    await until(() => reasons.length > 1);
    expect(tails.get("t")?.seq).toBe(1);
    expect(reasons).toEqual(["store", null]);
    tails.stop();
  });
});

describe("P7 leadership follows the lock", () => {
  test("a leader whose connection dies publishes nothing more, and another takes over", async () => {
    const [log, bus, lock] = [new ArrayLog("t"), createInProcessBus(silentLog), new TestLock()];
    const spans = listen(bus);
    const first = await ready(bus, () => relays.start(log, bus, lock));
    const second = relays.start(log, bus, lock);
    lock.breakConnection();
    await until(() => !first.isLeader());
    await until(() => first.isLeader() || second.isLeader());
    expect(first.isLeader() && second.isLeader()).toBe(false);
    await until(() => {
      log.write("t", "r", { n: log.head("t") });
      second.hint("t");
      return spans.length > 0;
    });
  });

  test("a stopped leader frees the lock for the next", async () => {
    const [log, bus, lock] = [new ArrayLog("t"), createInProcessBus(silentLog), new TestLock()];
    const first = await ready(bus, () => relays.start(log, bus, lock));
    const second = relays.start(log, bus, lock);
    await first.stop();
    await until(() => second.isLeader());
    expect(first.isLeader()).toBe(false);
  });
});
