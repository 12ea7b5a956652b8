import { afterEach, describe, expect, test } from "vitest";
import type { LeaderLock } from "../store/leadership.ts";
import type { LogSpan } from "../store/log-change.ts";
import type { Bus } from "./bus/bus.ts";
import { createInProcessBus } from "./bus/in-process-bus.ts";
import type { FeedLog } from "./feed-log.ts";
import { FEEDS_CHANNEL, HINT_CHANNEL } from "./feed-messages.ts";
import { FeedTails } from "./feed-tails.ts";
import { Relay } from "./relay.ts";
import { ArrayLog } from "./testing/array-log.ts";
import { until } from "./testing/bus-contract.ts";
import { markKey } from "./testing/mark-key.ts";
import { silentLog } from "./testing/silent-log.ts";

const running: Relay[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((relay) => relay.stop()));
});

/** A lock that the test can break, as Postgres does when the connection dies. */
class TestLock implements LeaderLock {
  #lose: (() => void) | null = null;

  async tryAcquire() {
    if (this.#lose) return null;
    const { promise: lost, resolve } = Promise.withResolvers<void>();
    this.#lose = resolve;
    const release = async () => {
      this.#lose = null;
    };
    return { lost, release };
  }

  breakConnection(): void {
    this.#lose?.();
  }
}

function start(log: ArrayLog, bus: Bus, lock: LeaderLock, pollMs = 60_000): Relay {
  const limits = { RELAY_POLL_MS: pollMs };
  const relay = new Relay({ log, bus, lock, logger: silentLog, limits });
  running.push(relay);
  relay.start();
  return relay;
}

function listen(bus: Bus): LogSpan[] {
  const spans: LogSpan[] = [];
  bus.subscribe(FEEDS_CHANNEL, (message) => {
    if ("span" in message) spans.push(message.span);
  });
  return spans;
}

/** The relay has sent its heads: from now on it publishes later changes. */
async function ready(bus: Bus, startIt: () => Relay): Promise<Relay> {
  let isAtHead = false;
  const stop = bus.subscribe(FEEDS_CHANNEL, () => {
    isAtHead = true;
  });
  const relay = startIt();
  await until(() => isAtHead);
  stop();
  return relay;
}

function isDense(spans: LogSpan[], upTo: number): boolean {
  return (
    spans.every((span, n) => span.from === (spans[n - 1]?.to ?? 0)) && spans.at(-1)?.to === upTo
  );
}

describe("P6 one server publishes what was committed", () => {
  test("a hint publishes at once, and many hints publish everything once", async () => {
    const [log, bus] = [new ArrayLog("t"), createInProcessBus(silentLog)];
    const spans = listen(bus);
    const relay = await ready(bus, () => start(log, bus, new TestLock()));
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
    const relay = await ready(bus, () => start(log, bus, new TestLock()));
    for (let n = 0; n < 1_700; n += 1) log.write("t", "r", { n });
    relay.hint("t");
    await until(() => spans.at(-1)?.to === 1_700);
    expect(isDense(spans, 1_700)).toBe(true);
    expect(Math.max(...spans.map(({ changes }) => changes.length))).toBeLessThanOrEqual(500);
  });

  test("a poll finds changes without a hint, also in a new feed", async () => {
    const [log, bus] = [new ArrayLog("t"), createInProcessBus(silentLog)];
    const spans = listen(bus);
    await ready(bus, () => start(log, bus, new TestLock(), 5));
    log.write("t", "r", { n: 1 });
    await until(() => spans.length === 1);
    log.create("later");
    await until(() => {
      log.write("later", "r", { n: 1 });
      return spans.some(({ table }) => table === "later");
    });
  });

  test("a hint of another server wakes the leader over the bus", async () => {
    const [log, bus, lock] = [new ArrayLog("t"), createInProcessBus(silentLog), new TestLock()];
    const spans = listen(bus);
    await ready(bus, () => start(log, bus, lock));
    const follower = start(log, bus, lock);
    log.write("t", "r", { n: 1 });
    follower.hint("t");
    await until(() => spans.length === 1);
    expect(follower.isLeader()).toBe(false);
  });
});

describe("P6 commits of the leader's own server are not read again", () => {
  /** A new leader, and everything that it publishes. */
  async function leader(pollMs?: number) {
    const [log, bus] = [new ArrayLog("t"), createInProcessBus(silentLog)];
    const spans = listen(bus);
    const relay = await ready(bus, () => start(log, bus, new TestLock(), pollMs));
    /** The newest `count` changes as their committer hands them over. */
    const written = async (count: number) => {
      for (let n = 0; n < count; n += 1) log.write("t", "r", { n: log.head("t") });
      const span = await log.readSpan("t", log.head("t") - count, count);
      log.spanReads = 0;
      return span as LogSpan;
    };
    return { log, relay, spans, written };
  }

  test("a span that continues its position is published in the same turn", async () => {
    const { log, relay, spans, written } = await leader();
    for (const count of [1, 3, 2]) relay.hint("t", await written(count));
    expect(spans.map(({ to }) => to)).toEqual([1, 4, 6]);
    expect(log.spanReads).toBe(0);
  });

  test("earlier commits of others are read from the log, in order", async () => {
    const { log, relay, spans, written } = await leader();
    await written(2);
    relay.hint("t", await written(1));
    await until(() => spans.at(-1)?.to === 3);
    expect(isDense(spans, 3)).toBe(true);
    relay.hint("t", await written(1));
    expect(isDense(spans, 4)).toBe(true);
    expect(log.spanReads).toBe(0);
  });

  test("spans handed over twice, late, out of order or during a read are published once", async () => {
    const { log, relay, spans, written } = await leader();
    const [first, second, third] = [await written(1), await written(2), await written(1)];
    relay.hint("t", second);
    relay.hint("t", third);
    relay.hint("t", first);
    relay.hint("t");
    await until(() => spans.at(-1)?.to === 4);
    for (const span of [third, first, second]) relay.hint("t", span);
    relay.hint("t", await written(1));
    expect(isDense(spans, 5)).toBe(true);
    expect(log.spanReads).toBe(0);
  });

  test("a span handed over while the log was read is published without another read", async () => {
    const { log, relay, spans, written } = await leader();
    await written(1);
    relay.hint("t");
    const changes = [log.write("t", "r", { n: 1 })];
    relay.hint("t", { table: "t", epoch: "e1", from: 1, to: 2, changes });
    expect(spans).toEqual([]);
    await until(() => spans.at(-1)?.to === 2);
    expect(isDense(spans, 2)).toBe(true);
    expect(log.spanReads).toBe(1);
  });

  test("a span of another history is not published directly", async () => {
    const { log, relay, spans, written } = await leader(5);
    relay.hint("t", await written(1));
    log.create("t", "e2");
    relay.hint("t", await written(1));
    await until(() => {
      log.write("t", "r", { n: log.head("t") });
      return spans.some(({ epoch }) => epoch === "e2");
    });
    expect(spans.map(({ epoch, from }) => `${epoch} ${from}`)[0]).toBe("e1 0");
    expect(spans.filter(({ epoch }) => epoch === "e1")).toHaveLength(1);
  });
});

describe("P6 commits of a server that does not lead", () => {
  /** A follower with its tails; nobody publishes but the test. */
  async function follower() {
    const [log, bus, lock] = [new ArrayLog("t"), createInProcessBus(silentLog), new TestLock()];
    await lock.tryAcquire();
    const limits = { RELAY_POLL_MS: 60_000, RING_MAX_CHANGES: 100, RING_MAX_BYTES: 1_000_000 };
    const tails = new FeedTails({ log, bus, logger: silentLog, markKey, limits });
    await tails.start();
    const seen: number[] = [];
    tails.onEvent((event) => {
      if (event.kind === "changes") seen.push(...event.changes.map(({ seq }) => seq));
    });
    const relay = start(log, bus, lock);
    relay.onOwnCommit((span) => tails.acceptOwn(span));
    const hints: string[] = [];
    bus.subscribe(HINT_CHANNEL, (table) => hints.push(table));
    const written = async (count: number) => {
      for (let n = 0; n < count; n += 1) log.write("t", "r", { n: log.head("t") });
      const span = (await log.readSpan("t", log.head("t") - count, count)) as LogSpan;
      log.spanReads = 0;
      return span;
    };
    const publish = (span: LogSpan) => bus.publish(FEEDS_CHANNEL, { span });
    return { log, relay, tails, seen, hints, written, publish };
  }

  test("are sent to its own screens in the same turn, and once", async () => {
    const { log, relay, tails, seen, hints, written, publish } = await follower();
    const spans = [await written(1), await written(2)];
    for (const span of spans) relay.hint("t", span);
    expect(relay.isLeader()).toBe(false);
    expect(seen).toEqual([1, 2, 3]);
    expect(hints).toEqual(["t", "t"]);
    for (const span of spans) publish(span);
    expect(seen).toEqual([1, 2, 3]);
    expect(log.spanReads).toBe(0);
    tails.stop();
  });

  test("wait for the leader behind commits of others, and in another epoch, without a read", async () => {
    const { log, relay, tails, seen, written, publish } = await follower();
    const [others, own] = [await written(1), await written(1)];
    relay.hint("t", own);
    relay.hint("t", { ...others, epoch: "e0" });
    relay.hint("unknown", { ...others, table: "unknown" });
    expect(seen).toEqual([]);
    publish(others);
    publish(own);
    expect(seen).toEqual([1, 2]);
    expect(log.spanReads).toBe(0);
    tails.stop();
  });
});

describe("P10 a server that can't know the current data knows that it can't", () => {
  test("a leader that can't read the log sends no heads, and every server is outdated until it can", async () => {
    const [log, bus] = [new ArrayLog("t"), createInProcessBus(silentLog)];
    const limits = { RELAY_POLL_MS: 20, RING_MAX_CHANGES: 10, RING_MAX_BYTES: 1_000_000 };
    const tails = new FeedTails({
      log,
      bus,
      logger: silentLog,
      markKey,
      limits,
      outdatedAfterMs: 2_500,
    });
    const outdatedStates: boolean[] = [];
    tails.onOutdatedChange((isOutdated) => outdatedStates.push(isOutdated));
    await tails.start();
    await ready(bus, () => start(log, bus, new TestLock(), 20));
    log.isUnavailable = true;
    await until(() => outdatedStates.length > 0);
    log.isUnavailable = false;
    await until(() => outdatedStates.length > 1);
    expect(outdatedStates).toEqual([true, false]);
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
    const limits = { RELAY_POLL_MS: 20, RING_MAX_CHANGES: 10, RING_MAX_BYTES: 1_000_000 };
    const losing = { ...bus, subscribe };
    const tails = new FeedTails({ log: own, bus: losing, logger: silentLog, markKey, limits });
    const outdatedStates: boolean[] = [];
    tails.onOutdatedChange((isOutdated) => outdatedStates.push(isOutdated));
    await tails.start();
    const leader = await ready(bus, () => start(log, bus, new TestLock(), 20));
    isCut = true;
    log.write("t", "r", { n: 1 });
    leader.hint("t");
    await until(() => outdatedStates.length > 0);
    expect(tails.get("t")?.seq).toBe(0);
    isCut = false;
    await until(() => outdatedStates.length > 1);
    expect(tails.get("t")?.seq).toBe(1);
    expect(outdatedStates).toEqual([true, false]);
    tails.stop();
  });
});

describe("P7 leadership follows the lock", () => {
  test("a leader whose connection dies publishes nothing more, and another takes over", async () => {
    const [log, bus, lock] = [new ArrayLog("t"), createInProcessBus(silentLog), new TestLock()];
    const spans = listen(bus);
    const first = await ready(bus, () => start(log, bus, lock));
    const second = start(log, bus, lock);
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
    const first = await ready(bus, () => start(log, bus, lock));
    const second = start(log, bus, lock);
    await first.stop();
    await until(() => second.isLeader());
    expect(first.isLeader()).toBe(false);
  });
});
