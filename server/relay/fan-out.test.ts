import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { until } from "./testing/bus-contract.ts";
import {
  type Client,
  FanOutEnvironment,
  limits,
  subjectOf,
} from "./testing/fan-out-environment.ts";

let world: FanOutEnvironment;
beforeEach(async () => {
  world = await new FanOutEnvironment().start();
});
afterEach(() => world.stop());

async function subscribed(group: string): Promise<Client> {
  const client = world.connect(group);
  await client.subscribe();
  return client;
}

async function write(record: string, values: Record<string, string> | null): Promise<void> {
  world.log.write("t", record, values);
  await world.publish();
  await sleep(limits.FAN_OUT_TICK_MS * 2);
}

describe("S1 frames after an answer begin at the answer's position", () => {
  test("a fresh subscription gets what is committed after it", async () => {
    await write("r1", { title: "a", group: "A" });
    const client = await subscribed("*");
    expect(client.at?.seq).toBe(1);
    await write("r2", { title: "b", group: "A" });
    expect(client.frames).toMatchObject([{ from: 1, to: 2, changes: [{ record: "r2" }] }]);
  });

  test("one frame per scope, however many follow it", async () => {
    for (let n = 0; n < 20; n += 1) await subscribed(n % 2 ? "A" : "B");
    world.broadcasts = 0;
    await write("r", { title: "a", group: "A" });
    expect(world.broadcasts).toBe(1);
  });

  test("an invisible change sends nothing until the next visible one", async () => {
    const client = await subscribed("A");
    await write("r1", { title: "x", group: "B" });
    expect(client.frames).toEqual([]);
    await write("r2", { title: "y", group: "A" });
    expect(client.frames).toMatchObject([{ from: 0, to: 2 }]);
  });

  test("a table that may not be read, and a missing one, are not found", async () => {
    const client = world.connect("A");
    const call = world.fanOut.subscribe(client.id, { table: "other" }, () => {});
    await expect(call).rejects.toMatchObject({ code: "not_found" });
  });

  test("no frame is sent after unsubscribing", async () => {
    const client = await subscribed("*");
    world.fanOut.unsubscribe(client.id, "t");
    await write("r", { title: "a", group: "A" });
    expect(client.frames).toEqual([]);
  });

  test("a large catch-up is sent in bounded frames that continue each other", async () => {
    const client = await subscribed("*");
    for (let n = 0; n < 1_300; n += 1) world.log.write("t", `r${n}`, { title: "x", group: "A" });
    await world.publishRelayHeads();
    await until(() => client.at?.seq === 1_300);
    expect(Math.max(...client.frames.map(({ changes }) => changes.length))).toBeLessThanOrEqual(
      500,
    );
    expect(client.violations).toEqual([]);
  });
});

describe("S2 a returning client is sent what it missed, or a resync", () => {
  async function disconnectedClient(missed: number): Promise<Client> {
    const client = await subscribed("A");
    world.fanOut.disconnect(client.id);
    for (let n = 0; n < missed; n += 1) {
      world.log.write("t", `r${n}`, { title: "x", group: n % 2 ? "A" : "B" });
    }
    await world.publishRelayHeads();
    world.fanOut.connect(client, client.subject, client.holder);
    return client;
  }

  test.each([1, 30, limits.RING_MAX_CHANGES + 15, limits.REPLAY_MAX_CHANGES])(
    "%i missed changes are replayed as its scope sees them",
    async (missed) => {
      const client = await disconnectedClient(missed);
      const answer = await client.subscribe();
      expect(answer.resync).toBeUndefined();
      expect(answer.replay?.length).toBe(Math.floor(missed / 2));
      expect(client.records).toEqual(client.visible());
      expect(client.violations).toEqual([]);
    },
  );

  test("more than the limit is a resync", async () => {
    const client = await disconnectedClient(limits.REPLAY_MAX_CHANGES + 1);
    expect((await client.subscribe()).resync).toBe(true);
  });

  test.each([
    ["of another epoch", { epoch: "e0" }],
    ["of another scope", { scope: "elsewhere" }],
    ["from the future", { seq: 99 }],
  ])("a position %s is a resync", async (_title, other) => {
    const client = await disconnectedClient(2);
    const after = { epoch: "e1", seq: 0, scope: "", ...client.at, ...other };
    expect((await client.subscribe(after)).resync).toBe(true);
  });

  /** What a virtual machine does that is reset with the memory of its Postgres: nothing in it shows that it was. */
  function setBack(lost: number, written: number): void {
    world.log.restore("t", world.log.head("t") - lost);
    for (let n = 0; n < written; n += 1) {
      world.log.write("t", `after ${n}`, { title: "x", group: "A" });
    }
  }

  test.each([
    ["its server was away", true],
    ["another server was", false],
  ])(
    "a position of a history that was lost is a resync, though it was assigned anew (%s)",
    async (_title, restarts) => {
      const client = await disconnectedClient(10);
      await client.subscribe();
      world.fanOut.disconnect(client.id);
      setBack(5, 9);
      if (restarts) {
        world.stop();
        world = await world.restarted();
      } else await world.tails.get("t")?.catchUp();
      world.join(client);
      expect(await client.subscribe()).toMatchObject({ resync: true });
      expect(client.records).toEqual(client.visible());
    },
  );

  test.each([0, 1, 9])(
    "a position before what was lost is replayed (%i changes before)",
    async (before) => {
      for (let n = 0; n < 5; n += 1) await write(`r${n}`, { title: "x", group: "A" });
      const client = await subscribed("A");
      world.fanOut.disconnect(client.id);
      for (let n = 0; n < before + 5; n += 1) await write(`later ${n}`, { title: "x", group: "A" });
      world.stop();
      setBack(5, 9);
      world = await world.restarted();
      world.join(client);
      const { replay, resync } = await client.subscribe();
      expect([resync, replay?.length]).toEqual([undefined, before + 9]);
      expect(client.records).toEqual(client.visible());
    },
  );

  test("a mark can't be computed from its change, which the client may not see", async () => {
    await write("r", { title: "x", group: "B" });
    const { mark } = await world.connect("A").subscribe();
    const secret = Buffer.from("of another installation");
    const other = await new FanOutEnvironment(world.log, secret).start();
    await other.tails.get("t")?.loadEarlier(1);
    const answer = await other.connect("A").subscribe();
    other.stop();
    expect([mark, answer.mark]).toEqual([expect.any(String), expect.any(String)]);
    expect(answer.mark).not.toBe(mark);
  });

  test("a position without a mark is compared by its number", async () => {
    const client = await disconnectedClient(2);
    const { mark: _, ...after } = { epoch: "", seq: 0, scope: "", ...client.at };
    expect((await client.subscribe(after)).resync).toBeUndefined();
  });

  test("a position from before the session followed the table is a resync, with nothing of that time", async () => {
    await write("r", { title: "before anybody of this session could see it", group: "A" });
    const client = await subscribed("A");
    expect(client.at?.seq).toBe(1);
    const answer = await client.subscribe({ epoch: "e1", scope: "", ...client.at, seq: 0 });
    expect([answer.resync, answer.replay]).toEqual([true, undefined]);
  });

  test("a position of another session is a resync, though it sees the same", async () => {
    const [first, second] = [await subscribed("A"), world.connect("A")];
    await write("r", { title: "x", group: "A" });
    expect((await second.subscribe({ epoch: "e1", scope: "", ...first.at, seq: 0 })).resync).toBe(
      true,
    );
    const forged = `${first.at?.scope.split(".")[0]}.e1.0.${"A".repeat(22)}`;
    const answer = await second.subscribe({ epoch: "e1", seq: 0, scope: forged });
    expect([answer.resync, answer.replay]).toEqual([true, undefined]);
  });

  test("a scope that was lost and regained does not cover the time between", async () => {
    const client = await subscribed("A");
    const before = { epoch: "e1", seq: 0, scope: "", ...client.at };
    for (const [group, holder] of [
      ["B", "2"],
      ["A", "3"],
    ] as const) {
      world.fanOut.hold(client.id);
      Object.assign(client, { subject: subjectOf(group), holder });
      world.fanOut.release(client.id, client.subject, client.holder);
      await write(`r${holder}`, { title: "not for them", group: "A" });
    }
    const answer = await client.subscribe(before);
    expect([answer.resync, answer.replay]).toEqual([true, undefined]);
  });

  test("the token of a session's scope stays the same while it follows, connected or not", async () => {
    const client = await subscribed("A");
    const { scope } = client.at ?? {};
    for (let n = 0; n < 3; n += 1) {
      await write("r", { title: `${n}`, group: "A" });
      const answer = await client.subscribe();
      expect([answer.scope, answer.resync]).toEqual([scope, undefined]);
    }
  });

  test("a position that another server had advanced to is accepted, and nobody falls behind", async () => {
    const stayed = await subscribed("A");
    const client = await subscribed("A");
    await write("r", { title: "x", group: "B" });
    const answer = await client.subscribe({ epoch: "e1", scope: "", ...client.at, seq: 1 });
    expect(answer).toMatchObject({ seq: 1, replay: [] });
    await write("r2", { title: "x", group: "A" });
    expect([stayed.violations, client.violations]).toEqual([[], []]);
  });
});

describe("H1 heads say exactly what was sent", () => {
  test("an empty frame goes before heads that move past invisible changes", async () => {
    const client = await subscribed("A");
    await write("r1", { title: "x", group: "B" });
    world.fanOut.sendHeads();
    expect(client.frames).toMatchObject([{ from: 0, to: 1, changes: [] }]);
    expect(client.violations).toEqual([]);
  });
});

describe("S3 a change of rights takes effect before the next frame", () => {
  test("a held connection is sent nothing, and continues without a gap if nothing changed", async () => {
    const client = await subscribed("A");
    world.fanOut.hold(client.id);
    await write("r1", { title: "x", group: "A" });
    expect(client.frames).toEqual([]);
    world.fanOut.release(client.id, client.subject, client.holder);
    expect(client.resyncs).toEqual([]);
    await write("r2", { title: "y", group: "A" });
    expect(client.records).toEqual(client.visible());
    expect(client.violations).toEqual([]);
  });

  test("another scope is a resync, and nothing of either is sent before the new subscription", async () => {
    const client = await subscribed("A");
    world.fanOut.hold(client.id);
    client.subject = subjectOf("B");
    await write("r1", { title: "x", group: "A" });
    world.fanOut.release(client.id, client.subject, client.holder);
    await write("r2", { title: "y", group: "B" });
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
    await write("r1", { title: "x", group: "A" });
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
      await write("r1", { title: "x", group: "A" });
      await write("r2", { title: "y", group: "B" });
      expect(client.records).toEqual(client.visible());
      expect(client.received.map(({ record }) => record)).toEqual(["r2"]);
    },
  );
});

describe("S4 another epoch ends every subscription", () => {
  test("resync, then the new history", async () => {
    await write("r1", { title: "x", group: "A" });
    const client = await subscribed("A");
    world.newEpoch("e2");
    await world.publishRelayHeads();
    expect(client.resyncs).toEqual(["epoch"]);
    await client.subscribe();
    await write("r2", { title: "y", group: "A" });
    expect(client.at).toMatchObject({ epoch: "e2", seq: 1 });
    expect(client.violations).toEqual([]);
  });
});

describe("S5 a slow connection has to catch up, and is never silently dropped", () => {
  test("it is sent nothing above the bound and a resync when it has drained, others continue", async () => {
    const [slow, quick] = [await subscribed("A"), await subscribed("A")];
    slow.buffered = limits.SLOW_CLIENT_BUFFER_BYTES + 1;
    for (let n = 0; n < 5; n += 1) await write(`r${n}`, { title: "x", group: "A" });
    world.fanOut.sendHeads();
    expect([slow.frames, slow.resyncs, quick.records.size]).toEqual([[], [], 5]);
    slow.buffered = 0;
    await until(() => slow.resyncs.length > 0);
    expect(slow.resyncs).toEqual(["slow"]);
    await slow.subscribe();
    await write("last", { title: "x", group: "A" });
    expect(slow.records).toEqual(slow.visible());
    expect([slow.violations, quick.violations]).toEqual([[], []]);
  });
});
