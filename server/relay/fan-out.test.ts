import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { until } from "./testing/bus-contract.ts";
import { FanOutEnvironment, limits, subjectOf } from "./testing/fan-out-environment.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

let world: FanOutEnvironment;
beforeEach(async () => {
  world = await new FanOutEnvironment().start();
});
afterEach(() => world.stop());

describe("S1 frames after an answer begin at the answer's position", () => {
  test("a fresh subscription gets what is committed after it", async () => {
    await world.write("r1", { title: "a", group: "A" });
    const client = await world.subscribed("*");
    expect(client.at?.seq).toBe(1);
    await world.write("r2", { title: "b", group: "A" });
    expect(client.frames).toMatchObject([{ from: 1, to: 2, changes: [{ record: "r2" }] }]);
  });

  test("one frame per scope, however many follow it", async () => {
    for (let n = 0; n < 20; n += 1) await world.subscribed(n % 2 ? "A" : "B");
    world.broadcasts = 0;
    await world.write("r", { title: "a", group: "A" });
    expect(world.broadcasts).toBe(1);
  });

  test("an invisible change sends nothing until the next visible one", async () => {
    const client = await world.subscribed("A");
    await world.write("r1", { title: "x", group: "B" });
    expect(client.frames).toEqual([]);
    await world.write("r2", { title: "y", group: "A" });
    expect(client.frames).toMatchObject([{ from: 0, to: 2 }]);
  });

  test("a table that may not be read, and a missing one, are not found", async () => {
    const client = world.connect("A");
    const call = world.fanOut.subscribe(client.id, { table: "other" }, () => {});
    await expect(call).rejects.toMatchObject({ code: "not_found" });
  });

  test("a subscription that is ended while it waits is not begun", async () => {
    const client = world.connect("A");
    const ends = [
      () => world.fanOut.unsubscribe(client.id, "t"),
      () => world.fanOut.disconnect(client.id),
    ];
    for (const end of ends) {
      const waiting = world.fanOut.subscribe(client.id, { table: "t" }, () => {});
      end();
      await expect(waiting).rejects.toMatchObject({ code: "aborted" });
    }
    expect([...world.fanOut.groups("t")]).toEqual([]);
  });

  test("nothing is stored of tables that were asked for in vain", async () => {
    const { id } = world.connect("A");
    const heapAfter = async (calls: number) => {
      for (let n = 0; n < calls; n += 1) {
        const name = `${n}`.padStart(60, "x");
        await world.fanOut.subscribe(id, { table: name }, () => {}).catch(() => undefined);
        world.fanOut.unsubscribe(id, name);
      }
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = await heapAfter(1_000);
    expect((await heapAfter(200_000)) - before).toBeLessThan(8_000_000);
  });

  test("no frame is sent after unsubscribing", async () => {
    const client = await world.subscribed("*");
    world.fanOut.unsubscribe(client.id, "t");
    await world.write("r", { title: "a", group: "A" });
    expect(client.frames).toEqual([]);
  });

  test("nothing is sent after unsubscribing while rights are looked up, or while the connection is slow", async () => {
    const [held, slow, slower] = [
      await world.subscribed("*"),
      await world.subscribed("*"),
      await world.subscribed("*"),
    ];
    world.fanOut.hold(held.id);
    world.fanOut.unsubscribe(held.id, "t");
    world.fanOut.release(held.id, held.subject, held.holder);
    for (const one of [slow, slower]) one.buffered = limits.SLOW_CLIENT_BUFFER_BYTES + 1;
    await world.write("r1", { title: "a", group: "A" });
    world.fanOut.unsubscribe(slow.id, "t");
    for (const one of [slow, slower]) one.buffered = 0;
    await until(() => slower.resyncs.length > 0);
    await world.write("r2", { title: "b", group: "A" });
    for (const { frames, resyncs } of [held, slow]) expect([frames, resyncs]).toEqual([[], []]);
  });

  test("a large catch-up is sent in bounded frames that continue each other", async () => {
    const client = await world.subscribed("*");
    for (let n = 0; n < 1_300; n += 1) world.log.write("t", `r${n}`, { title: "x", group: "A" });
    for (let part = 0; part < 3; part += 1) await world.publish();
    await until(() => client.at?.seq === 1_300);
    expect(Math.max(...client.frames.map(({ changes }) => changes.length))).toBeLessThanOrEqual(
      500,
    );
    expect(client.violations).toEqual([]);
  });
});

describe("H1 heads say exactly what was sent", () => {
  test("an empty frame goes before heads that move past invisible changes", async () => {
    const client = await world.subscribed("A");
    await world.write("r1", { title: "x", group: "B" });
    world.fanOut.sendHeads();
    expect(client.frames).toMatchObject([{ from: 0, to: 1, changes: [] }]);
    expect(client.violations).toEqual([]);
  });
});

describe("S3 a change of rights takes effect before the next frame", () => {
  test("a held connection is sent nothing, and continues without a gap if nothing changed", async () => {
    const client = await world.subscribed("A");
    world.fanOut.hold(client.id);
    await world.write("r1", { title: "x", group: "A" });
    expect(client.frames).toEqual([]);
    world.fanOut.release(client.id, client.subject, client.holder);
    expect(client.resyncs).toEqual([]);
    await world.write("r2", { title: "y", group: "A" });
    expect(client.records).toEqual(client.visible());
    expect(client.violations).toEqual([]);
  });

  test("another scope is a resync, and nothing of either is sent before the new subscription", async () => {
    const client = await world.subscribed("A");
    world.fanOut.hold(client.id);
    client.subject = subjectOf("B");
    await world.write("r1", { title: "x", group: "A" });
    world.fanOut.release(client.id, client.subject, client.holder);
    await world.write("r2", { title: "y", group: "B" });
    expect([client.frames, client.resyncs]).toEqual([[], ["rights"]]);
    await client.subscribe();
    expect(client.records).toEqual(client.visible());
  });

  test("a subscription during revalidation waits, and uses the new rights", async () => {
    const client = world.connect("A");
    world.fanOut.hold(client.id);
    const waiting = client.subscribe();
    client.subject = subjectOf("B");
    world.fanOut.release(client.id, client.subject, client.holder);
    await waiting;
    await world.write("r1", { title: "x", group: "A" });
    expect(client.frames).toEqual([]);
  });
});

describe("S3 a revalidation that begins during a subscribe", () => {
  test.each(Array.from({ length: 12 }, (_, steps) => steps))(
    "is not bypassed, also if it begins %i steps after the call",
    async (steps) => {
      const client = world.connect("A");
      const joining = client.subscribe();
      for (let n = 0; n < steps; n += 1) await null;
      world.fanOut.hold(client.id);
      client.subject = subjectOf("B");
      await sleep(1);
      world.fanOut.release(client.id, client.subject, client.holder);
      await joining;
      if (!client.at) await client.subscribe();
      await world.write("r1", { title: "x", group: "A" });
      await world.write("r2", { title: "y", group: "B" });
      expect(client.records).toEqual(client.visible());
      expect(client.received.map(({ record }) => record)).toEqual(["r2"]);
    },
  );
});

describe("S4 another epoch ends every subscription", () => {
  test("resync, then the new history", async () => {
    await world.write("r1", { title: "x", group: "A" });
    const client = await world.subscribed("A");
    world.newEpoch("e2");
    await world.publishRelayHeads();
    expect(client.resyncs).toEqual(["epoch"]);
    await client.subscribe();
    await world.write("r2", { title: "y", group: "A" });
    expect(client.at).toMatchObject({ epoch: "e2", seq: 1 });
    expect(client.violations).toEqual([]);
  });
});

describe("S5 a slow connection has to catch up, and is never silently dropped", () => {
  test("it is sent nothing above the bound and a resync when it has drained, others continue", async () => {
    const [slow, quick] = [await world.subscribed("A"), await world.subscribed("A")];
    slow.buffered = limits.SLOW_CLIENT_BUFFER_BYTES + 1;
    for (let n = 0; n < 5; n += 1) await world.write(`r${n}`, { title: "x", group: "A" });
    world.fanOut.sendHeads();
    expect([slow.frames, slow.resyncs, quick.records.size]).toEqual([[], [], 5]);
    slow.buffered = 0;
    await until(() => slow.resyncs.length > 0);
    expect(slow.resyncs).toEqual(["slow"]);
    await slow.subscribe();
    await world.write("last", { title: "x", group: "A" });
    expect(slow.records).toEqual(slow.visible());
    expect([slow.violations, quick.violations]).toEqual([[], []]);
  });

  test("one that ends meanwhile is forgotten", async () => {
    const [ended, slow] = [await world.subscribed("A"), await world.subscribed("A")];
    for (const client of [ended, slow]) client.buffered = limits.SLOW_CLIENT_BUFFER_BYTES + 1;
    await world.write("r", { title: "x", group: "A" });
    ended.disconnect();
    for (const client of [ended, slow]) client.buffered = 0;
    await until(() => slow.resyncs.length > 0);
    expect(ended.resyncs).toEqual([]);
  });
});
