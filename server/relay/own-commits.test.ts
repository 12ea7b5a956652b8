import { afterEach, describe, expect, test } from "vitest";
import type { LogSpan } from "../store/log-change.ts";
import { createInProcessBus } from "./bus/in-process-bus.ts";
import { FEEDS_CHANNEL, HINT_CHANNEL } from "./feed-messages.ts";
import { FeedTails } from "./feed-tails.ts";
import { ArrayLog } from "./testing/array-log.ts";
import { until } from "./testing/bus-contract.ts";
import { markKey } from "./testing/mark-key.ts";
import { isDense, listen, ready, TestLock, TestRelays } from "./testing/relay-environment.ts";
import { silentLog } from "./testing/silent-log.ts";

const relays = new TestRelays();
afterEach(() => relays.stop());

describe("P6 commits of the leader's own server are not read again", () => {
  /** A new leader, and everything that it publishes. */
  async function leader(pollMs?: number) {
    const [log, bus] = [new ArrayLog("t"), createInProcessBus(silentLog)];
    const spans = listen(bus);
    const relay = await ready(bus, () => relays.start(log, bus, new TestLock(), pollMs));
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

  test("a log that is read in parts, because its changes are large, is published to its end at once", async () => {
    const { log, relay, spans, written } = await leader();
    relay.hint("t", await written(1));
    log.partMax = 1;
    for (let n = 0; n < 5; n += 1) log.write("t", "r", { n });
    relay.hint("t");
    await until(() => spans.at(-1)?.to === 6);
    expect(isDense(spans, 6)).toBe(true);
  });

  test("spans passed on twice, late, out of order or during a read are published once", async () => {
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

  test("a span passed on while the log was read is published without another read", async () => {
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
    const limits = {
      RELAY_POLL_MS: 60_000,
      RING_MAX_CHANGES: 100,
      RING_MAX_BYTES: 1_000_000,
      REPLAY_MAX_CHANGES: 5_000,
    };
    const tails = new FeedTails({ log, bus, logger: silentLog, markKey, limits });
    await tails.start();
    const seen: number[] = [];
    tails.onEvent((event) => {
      if (event.kind === "changes") seen.push(...event.changes.map(({ seq }) => seq));
    });
    const relay = relays.start(log, bus, lock);
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
