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

describe("S2 a returning client is sent what it missed, or a resync", () => {
  async function disconnectedClient(missed: number): Promise<Client> {
    const client = await world.subscribed("A");
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
    ["its server was unavailable", true],
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
      for (let n = 0; n < 5; n += 1) await world.write(`r${n}`, { title: "x", group: "A" });
      const client = await world.subscribed("A");
      world.fanOut.disconnect(client.id);
      for (let n = 0; n < before + 5; n += 1)
        await world.write(`later ${n}`, { title: "x", group: "A" });
      world.stop();
      setBack(5, 9);
      world = await world.restarted();
      world.join(client);
      const { replay, resync } = await client.subscribe();
      expect([resync, replay?.length]).toEqual([undefined, before + 9]);
      expect(client.records).toEqual(client.visible());
    },
  );

  test("a position at the head is unavailable while the log can't be read after a start, and no resync", async () => {
    const client = await disconnectedClient(2);
    await client.subscribe();
    world.stop();
    const { log } = world;
    const readSpan = log.readSpan.bind(log);
    log.readSpan = () => Promise.reject(new Error("the store is unavailable"));
    world = await world.restarted();
    world.join(client);
    await expect(client.subscribe()).rejects.toMatchObject({ code: "unavailable" });
    log.readSpan = readSpan;
    expect((await client.subscribe()).resync).toBeUndefined();
    expect(client.records).toEqual(client.visible());
  });

  test("a position that another server has read is unavailable while this one can't read the log", async () => {
    const client = await disconnectedClient(2);
    const other = await world.restarted();
    world.log.write("t", "r", { title: "x", group: "A" });
    await world.publish();
    await client.subscribe();
    client.disconnect();
    other.join(client);
    world.log.isUnavailable = true;
    await expect(client.subscribe()).rejects.toMatchObject({ code: "unavailable" });
    world.log.isUnavailable = false;
    expect((await client.subscribe()).resync).toBeUndefined();
    other.stop();
  });

  test("a mark can't be computed from its change, which the client may not see", async () => {
    await world.write("r", { title: "x", group: "B" });
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
    await world.write("r", { title: "before anybody of this session could see it", group: "A" });
    const client = await world.subscribed("A");
    expect(client.at?.seq).toBe(1);
    const answer = await client.subscribe({ epoch: "e1", scope: "", ...client.at, seq: 0 });
    expect([answer.resync, answer.replay]).toEqual([true, undefined]);
  });

  test("a position of another session is a resync, though it sees the same", async () => {
    const [first, second] = [await world.subscribed("A"), world.connect("A")];
    await world.write("r", { title: "x", group: "A" });
    expect((await second.subscribe({ epoch: "e1", scope: "", ...first.at, seq: 0 })).resync).toBe(
      true,
    );
    const forged = `${first.at?.scope.split(".")[0]}.e1.0.${"A".repeat(22)}`;
    const answer = await second.subscribe({ epoch: "e1", seq: 0, scope: forged });
    expect([answer.resync, answer.replay]).toEqual([true, undefined]);
  });

  test("a scope that was lost and regained does not cover the time between", async () => {
    const client = await world.subscribed("A");
    const before = { epoch: "e1", seq: 0, scope: "", ...client.at };
    for (const [group, holder] of [
      ["B", "2"],
      ["A", "3"],
    ] as const) {
      world.fanOut.hold(client.id);
      Object.assign(client, { subject: subjectOf(group), holder });
      world.fanOut.release(client.id, client.subject, client.holder);
      await world.write(`r${holder}`, { title: "not for them", group: "A" });
    }
    const answer = await client.subscribe(before);
    expect([answer.resync, answer.replay]).toEqual([true, undefined]);
  });

  test("the token of a session's scope stays the same while it follows, connected or not", async () => {
    const client = await world.subscribed("A");
    const { scope } = client.at ?? {};
    for (let n = 0; n < 3; n += 1) {
      await world.write("r", { title: `${n}`, group: "A" });
      const answer = await client.subscribe();
      expect([answer.scope, answer.resync]).toEqual([scope, undefined]);
    }
  });

  test("a position that another server had advanced to is accepted, and nobody falls behind", async () => {
    const stayed = await world.subscribed("A");
    const client = await world.subscribed("A");
    await world.write("r", { title: "x", group: "B" });
    const answer = await client.subscribe({ epoch: "e1", scope: "", ...client.at, seq: 1 });
    expect(answer).toMatchObject({ seq: 1, replay: [] });
    await world.write("r2", { title: "x", group: "A" });
    expect([stayed.violations, client.violations]).toEqual([[], []]);
  });
});

describe("P11 a client that follows is sent no more at once than a returning one", () => {
  /** Another program's transaction: its rows are published by the head alone. */
  async function bulk(rows: number): Promise<void> {
    for (let n = 0; n < rows; n += 1) world.log.write("t", `r${n}`, { title: "x", group: "A" });
    await world.publishRelayHeads();
  }

  test("what is replayed is sent, and more is a resync, after which edits arrive as usual", async () => {
    const client = await world.subscribed("A");
    await bulk(limits.REPLAY_MAX_CHANGES);
    await until(() => client.received.length === limits.REPLAY_MAX_CHANGES);
    const before = client.at;
    await bulk(limits.REPLAY_MAX_CHANGES + 1);
    expect(client.resyncs).toEqual(["slow"]);
    expect(client.received).toHaveLength(limits.REPLAY_MAX_CHANGES);
    expect((await client.subscribe(before)).resync).toBe(true);
    world.log.write("t", "r1", { title: "edited", group: "A" });
    await world.publishRelayHeads();
    await until(() => client.received.at(-1)?.set.title === "edited");
    expect(client.received).toHaveLength(limits.REPLAY_MAX_CHANGES + 1);
    expect(client.records).toEqual(client.visible());
    expect(client.violations).toEqual([]);
  });
});
