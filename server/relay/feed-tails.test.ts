import { afterEach, describe, expect, test } from "vitest";
import type { Bus, BusState } from "./bus/bus.ts";
import { createInProcessBus } from "./bus/in-process-bus.ts";
import { FEEDS_CHANNEL, HINT_CHANNEL } from "./feed-messages.ts";
import type { FeedTail } from "./feed-tail.ts";
import { FeedTails } from "./feed-tails.ts";
import { ArrayLog } from "./testing/array-log.ts";
import { until } from "./testing/bus-contract.ts";
import { markKey } from "./testing/mark-key.ts";
import { silentLog } from "./testing/silent-log.ts";

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A bus whose state the test controls. */
function busIn(state: { now: BusState }): Bus {
  return { ...createInProcessBus(silentLog), state: () => state.now };
}

async function follow(
  log: ArrayLog,
  { ring = 100, state = { now: "live" as BusState }, pollMs = 10, maxBehind = 1_000 } = {},
) {
  const bus = busIn(state);
  const limits = {
    RING_MAX_CHANGES: ring,
    RING_MAX_BYTES: 10_000_000,
    RELAY_POLL_MS: pollMs,
    REPLAY_MAX_CHANGES: maxBehind,
  };
  const tails = new FeedTails({ log, bus, logger: silentLog, markKey, limits });
  const events: (number | "reset")[] = [];
  tails.onEvent((news) => {
    if (news.kind === "reset") events.push("reset");
    else events.push(...news.changes.map(({ seq }) => seq));
  });
  await tails.start();
  stops.push(() => tails.stop());
  const publishHead = async (from: number, limit: number) => {
    const span = await log.readSpan("t", from, limit);
    if (span) bus.publish(FEEDS_CHANNEL, { span });
  };
  return { bus, tails, seen: events, say: publishHead, tail: tails.get("t") as FeedTail };
}

function written(count: number): ArrayLog {
  const log = new ArrayLog("t");
  for (let n = 1; n <= count; n += 1) log.write("t", `r${n % 3}`, { n });
  return log;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, n) => from + n + 1);
}

describe("P2 a server sees every change once and in order", () => {
  test("also where each read returns only a part, because the changes are large", async () => {
    const log = written(5);
    const { seen, tail } = await follow(log, { pollMs: 60_000 });
    log.partMax = 1;
    for (let n = 0; n < 5; n += 1) log.write("t", "r", { n });
    await tail.catchUp();
    expect(seen).toEqual(range(5, 10));
    await tail.loadEarlier(2);
    expect(tail.recent(2)?.map(({ seq }) => seq)).toEqual(range(2, 10));
  });

  test("spans that continue are accepted without a read", async () => {
    const log = new ArrayLog("t");
    const { seen: events, say: publishHead } = await follow(log);
    for (let n = 0; n < 5; n += 1) log.write("t", "r", { n });
    await publishHead(0, 2);
    await publishHead(2, 3);
    const reads = log.spanReads;
    expect(events).toEqual([1, 2, 3, 4, 5]);
    expect(log.spanReads).toBe(reads);
  });

  test("known changes are dropped, also the first half of a span", async () => {
    const log = new ArrayLog("t");
    const { seen: events, say: publishHead } = await follow(log);
    for (let n = 0; n < 5; n += 1) log.write("t", "r", { n });
    await publishHead(0, 3);
    await publishHead(0, 3);
    await publishHead(1, 4);
    expect(events).toEqual([1, 2, 3, 4, 5]);
  });

  test("a gap is filled from the log", async () => {
    const log = new ArrayLog("t");
    const { seen: events, say: publishHead } = await follow(log);
    for (let n = 0; n < 9; n += 1) log.write("t", "r", { n });
    await publishHead(6, 2);
    await until(() => events.length >= 9);
    expect(events).toEqual(range(0, 9));
  });

  test("a head beyond its own reveals a silent loss", async () => {
    const log = new ArrayLog("t");
    const { bus, seen: events } = await follow(log);
    for (let n = 0; n < 3; n += 1) log.write("t", "r", { n });
    bus.publish(FEEDS_CHANNEL, { heads: await log.readFeedStates() });
    await until(() => events.length >= 3);
    expect(events).toEqual([1, 2, 3]);
  });
});

describe("P3 without the bus a server reads the log itself", () => {
  test("degraded, it polls", async () => {
    const log = new ArrayLog("t");
    const { seen: events } = await follow(log, { state: { now: "degraded" } });
    log.write("t", "r", { n: 1 });
    await until(() => events.length >= 1);
    expect(events).toEqual([1]);
  });

  test("degraded, it reads its own commits at once", async () => {
    const log = new ArrayLog("t");
    const followed = await follow(log, { state: { now: "degraded" }, pollMs: 60_000 });
    log.write("t", "r", { n: 1 });
    followed.bus.publish(HINT_CHANNEL, "t");
    await until(() => followed.seen.length >= 1);
    expect(followed.seen).toEqual([1]);
  });

  test("the store may be away meanwhile", async () => {
    const log = new ArrayLog("t");
    const { seen: events } = await follow(log, { state: { now: "degraded" } });
    log.isUnavailable = true;
    log.write("t", "r", { n: 1 });
    log.isUnavailable = false;
    await until(() => events.length >= 1);
    expect(events).toEqual([1]);
  });

  test("a feed created later is picked up", async () => {
    const log = new ArrayLog("t");
    const { tails } = await follow(log);
    log.create("later");
    log.write("later", "r", { n: 1 });
    expect((await tails.find("later"))?.seq).toBe(1);
    expect(await tails.find("never")).toBeUndefined();
  });
});

describe("P4 another epoch is another history", () => {
  test("the tail is reset before anything of the new epoch is emitted", async () => {
    const log = written(4);
    const { bus, seen: events, tail } = await follow(log);
    log.create("t", "e2");
    log.write("t", "r", { n: 1 });
    bus.publish(FEEDS_CHANNEL, { heads: await log.readFeedStates() });
    await until(() => events.length >= 1);
    log.write("t", "r", { n: 2 });
    await tail.catchUp();
    expect([events, tail.epoch, tail.seq]).toEqual([["reset", 2], "e2", 2]);
  });
});

describe("P5 missed changes come from the ring, else from the log, else not at all", () => {
  const seqs = (changes: { seq: number }[] | null) => changes?.map(({ seq }) => seq) ?? null;

  test("from the ring without a read", async () => {
    const log = new ArrayLog("t");
    const { tail } = await follow(log);
    for (let n = 0; n < 20; n += 1) log.write("t", "r", { n });
    await tail.catchUp();
    expect(seqs(tail.recent(5))).toEqual(range(5, 20));
  });

  test("from the log if the ring has dropped them, and the log is read once for many", async () => {
    const log = new ArrayLog("t");
    const { tail } = await follow(log, { ring: 100 });
    for (let n = 0; n < 2_000; n += 1) log.write("t", "r", { n });
    await tail.catchUp();
    expect(tail.recent(3)).toBeNull();
    const reads = log.spanReads;
    await Promise.all(Array.from({ length: 50 }, () => tail.loadEarlier(3)));
    expect(seqs(tail.recent(3))).toEqual(range(3, 2_000));
    expect(log.spanReads - reads).toBeLessThanOrEqual(4);
  });

  test("changes that arrive while reading back are not lost", async () => {
    const log = written(700);
    const { tail, say: publishHead } = await follow(log);
    const reaching = tail.loadEarlier(0);
    log.write("t", "r", { n: 0 });
    await publishHead(700, 1);
    await reaching;
    expect(seqs(tail.recent(0))).toEqual(range(0, 701));
  });

  test("not at all if the log was pruned, or from the future", async () => {
    const log = written(50);
    log.prune("t", 20);
    const { tail } = await follow(log);
    for (const after of [10, 51]) {
      await tail.loadEarlier(after);
      expect(tail.recent(after)).toBeNull();
    }
    await tail.loadEarlier(20);
    expect(tail.recent(20)?.length).toBe(30);
  });
});

describe("P4 a log that was reset", () => {
  test("is another history if the server is beyond what is left, however much was written since", async () => {
    const log = written(100);
    const { seen: events, tail } = await follow(log);
    log.restore("t", 90, "e2");
    for (let n = 0; n < 15; n += 1) log.write("t", "r", { n });
    await tail.catchUp();
    expect([events, tail.epoch, tail.seq]).toEqual([["reset"], "e2", 105]);
    expect(await tail.translate({ epoch: "e1", seq: 100 })).toBeNull();
    expect(await tail.translate({ epoch: "e1", seq: 90 })).toEqual({ epoch: "e2", seq: 90 });
    // What was known of former histories ends with the next one.
    log.restore("t", 80, "e3");
    await tail.catchUp();
    expect(await tail.translate({ epoch: "e1", seq: 90 })).toBeNull();
    expect(await tail.translate({ epoch: "e2", seq: 80 })).toEqual({ epoch: "e3", seq: 80 });
  });

  test("is the same history if nothing of it was lost: the server preserves its ring and continues", async () => {
    const log = written(3);
    const { seen: events, tail } = await follow(log);
    for (let n = 0; n < 2; n += 1) log.write("t", "r", { n });
    await tail.catchUp();
    log.restore("t", 5, "e2");
    log.write("t", "r", { n: 6 });
    await tail.catchUp();
    expect([events, tail.epoch]).toEqual([[4, 5, "reset", 6], "e2"]);
    expect(tail.recent(3)).toHaveLength(3);
  });

  test.each([9, 15])(
    "is found at the next reading, also if nothing says so and %i changes were written since",
    async (count) => {
      const log = written(100);
      const { seen: events, tail } = await follow(log);
      for (let n = 0; n < 3; n += 1) log.write("t", "r", { n });
      await tail.catchUp();
      log.restore("t", 90);
      for (let n = 0; n < count + 5; n += 1) log.write("t", "r", { n });
      await tail.catchUp();
      expect([events, tail.epoch, tail.seq]).toEqual([
        [101, 102, 103, "reset"],
        "e1 again",
        count + 95,
      ]);
      expect(await tail.translate({ epoch: "e1", seq: 103 })).toBeNull();
    },
  );

  test("is the same history if a change that was read has only been pruned", async () => {
    const log = written(3);
    const { seen: events, tail } = await follow(log);
    log.write("t", "r", { n: 4 });
    await tail.catchUp();
    log.prune("t", 4);
    log.write("t", "r", { n: 5 });
    await tail.catchUp();
    expect([events, tail.epoch]).toEqual([[4, 5], "e1"]);
  });

  test("begins another epoch if it did not do so itself", async () => {
    const log = written(9);
    const { seen: events, tails, tail } = await follow(log);
    log.restore("t", 4);
    await tails.poll();
    await until(() => events.length > 0);
    expect([events, tail.epoch, tail.seq]).toEqual([["reset"], "e1 again", 4]);
  });
});

describe("P11 a server that is further behind than is replayed goes on at the head", () => {
  test.each([
    [5, [4, 5, 6, 7, 8]],
    [6, ["reset"]],
    [2_000, ["reset"]],
  ])("with %i more changes it emits %j", async (count, expected) => {
    const log = written(3);
    const { seen: events, tail } = await follow(log, { maxBehind: 5, pollMs: 60_000 });
    for (let n = 0; n < count; n += 1) log.write("t", "r", { n });
    await tail.catchUp();
    expect([events, tail.epoch, tail.seq]).toEqual([expected, "e1", 3 + count]);
  });

  test("a span behind a gap that is too large is read after it, once", async () => {
    const log = written(3);
    const { seen: events, say: publishHead, tail } = await follow(log, { maxBehind: 5 });
    for (let n = 0; n < 9; n += 1) log.write("t", "r", { n });
    const skipped = tail.catchUp();
    log.write("t", "r", { n: 13 });
    await publishHead(12, 1);
    await skipped;
    log.write("t", "r", { n: 14 });
    await publishHead(13, 1);
    await until(() => tail.seq === 14);
    expect(events.filter((event) => event === "reset")).toHaveLength(1);
    expect(events.slice(0, 1)).toEqual(["reset"]);
    expect(events.at(-1)).toBe(14);
  });

  test("positions before it stay valid, and what the log holds is replayed from there", async () => {
    const log = written(3);
    const { tail } = await follow(log, { maxBehind: 5, pollMs: 60_000 });
    for (let n = 0; n < 9; n += 1) log.write("t", "r", { n });
    await tail.catchUp();
    expect(await tail.translate({ epoch: "e1", seq: 3 })).toEqual({ epoch: "e1", seq: 3 });
    await tail.loadEarlier(8);
    expect(tail.recent(8)?.map(({ seq }) => seq)).toEqual(range(8, 12));
  });
});
