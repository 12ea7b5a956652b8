import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MachineLag } from "../../e2e/harness/machine-lag.ts";
import type { Filter } from "../../shared/filter/filter.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { Identity } from "../auth/identity.ts";
import { until } from "../relay/testing/bus-contract.ts";
import { subjectOf } from "../relay/testing/fan-out-environment.ts";
import { SocketNode } from "./testing/socket-node.ts";
import type { TestClient } from "./testing/test-client.ts";

let node: SocketNode;
beforeEach(async () => {
  node = await new SocketNode().start();
});
afterEach(() => node.stop());

/** Promised: a change of rights acts on open connections within a second. */
const REVOKED_WITHIN_MS = 1_000;

async function following(token: string): Promise<TestClient> {
  const client = await node.connect(token);
  expect((await client.call("subscribe", { table: "t" })).ok).toBe(true);
  return client;
}

async function write(record: string, group: string): Promise<void> {
  node.world.log.write("t", record, { title: "canary", group });
  await node.world.publish();
}

describe("E6 an invalid credential ends its connections", () => {
  test("a session that ended says goodbye within a second", async () => {
    const token = node.user("A");
    const [client, other] = [await following(token), await following(node.user("A"))];
    const { session } = node.identities.get(token) ?? {};
    node.identities.delete(token);
    const lag = new MachineLag();
    const started = performance.now();
    node.notifier.changed("session", session as string);
    await client.end();
    const took = performance.now() - started;
    expect(took).toBeLessThan(await lag.allowing(REVOKED_WITHIN_MS));
    expect(client.all("goodbye")).toEqual([{ reason: "signed_out", retryAfter: 0 }]);
    expect(other.socket.connected).toBe(true);
  });

  test("a session that expires ends by itself", async () => {
    const began = performance.now();
    await node.connect(node.user("A"));
    // Ten times what the machine needs now until a client is connected.
    const lifetime = 1_000 + 10 * Math.ceil(performance.now() - began);
    const client = await node.connect(node.user("A", lifetime));
    await client.end();
    expect(client.all("goodbye")).toMatchObject([{ reason: "signed_out" }]);
  });

  test("a revocation during the handshake is not missed", async () => {
    const token = node.user("A");
    const client = node.client({ token });
    node.sockets.use((_socket, next) => {
      node.identities.delete(token);
      node.notifier.changed("user");
      next();
    });
    await client.end();
    expect(client.all("goodbye")).toMatchObject([{ reason: "signed_out" }]);
  });

  test("nothing is sent while the store is unavailable", async () => {
    const token = node.user("A");
    const client = await following(token);
    node.isStoreUnavailable = true;
    node.changeUser(token, "B");
    await write("r1", "A");
    const query = client.call("query", { table: "t" });
    await sleep(50);
    expect(client.all("changes")).toEqual([]);
    node.isStoreUnavailable = false;
    await client.next("resync");
    expect((await query).ok).toBe(true);
    expect(client.all("changes")).toEqual([]);
  });
});

describe("S3 other rights mean another scope on the open connection", () => {
  test("if the scope stays the same, the client still has to read its abilities again", async () => {
    const token = node.user("A");
    const client = await following(token);
    node.notifier.changed("user");
    expect(await client.next("model")).toEqual({ version: 1 });
    expect(client.all("resync")).toEqual([]);
  });

  test("what left the scope is never sent again, and the client has to resync", async () => {
    const token = node.user("A");
    const client = await following(token);
    node.changeUser(token, "B");
    await write("r1", "A");
    await write("r2", "B");
    expect(await client.next("resync")).toEqual({ table: "t", reason: "rights" });
    expect(client.all("changes")).toEqual([]);
    await client.call("subscribe", { table: "t" });
    await write("r3", "B");
    const frame = await client.next("changes");
    expect(frame).toMatchObject({ changes: [{ record: "r3" }] });
  });

  test("the same scope continues without a gap", async () => {
    const token = node.user("A");
    const client = await following(token);
    node.changeUser(token, "A");
    await write("r1", "A");
    const frame = await client.next("changes");
    expect(frame).toMatchObject({ from: 0, to: 1 });
    expect(client.all("resync")).toEqual([]);
  });

  test("a page that was read under old rights is never sent", async () => {
    const reading = Promise.withResolvers<void>();
    const readGroups: string[] = [];
    const slow = new SocketNode({
      readPage: async ({ subject }) => {
        readGroups.push(subject.attributes.group as string);
        if (readGroups.length === 1) await reading.promise;
        return { records: [], total: readGroups.length, totalExact: true, seq: 0, epoch: "e1" };
      },
    });
    await slow.start();
    const token = slow.user("A");
    const client = await slow.connect(token);
    const answer = client.call("query", { table: "t" });
    await until(() => readGroups.length === 1);
    slow.changeUser(token, "B");
    reading.resolve();
    expect(await answer).toMatchObject({ ok: true, total: 2 });
    expect(readGroups).toEqual(["A", "B"]);
    await slow.stop();
  });

  test("a change of the role that a user has just been given counts, also where that is being looked up", async () => {
    const found = Promise.withResolvers<void>();
    let isSlow = false;
    const slow: SocketNode = new SocketNode({
      authenticate: async (token) => {
        const identity = slow.identities.get(token) ?? null;
        if (isSlow) await found.promise;
        return identity;
      },
      readPage: async ({ subject }) => ({
        ...{ records: [], total: 0, totalExact: true, seq: 0 },
        epoch: subject.attributes.group as string,
      }),
    });
    await slow.start();
    const token = slow.user("A");
    const client = await slow.connect(token);
    const identity = slow.identities.get(token) as Identity;
    const { id } = identity.subject;
    const inRole = (group: string): Identity => {
      const subject = subjectOf(group);
      return { ...identity, subject: { ...subject, id, role: { ...subject.role, id: "given" } } };
    };
    isSlow = true;
    slow.identities.set(token, inRole("B"));
    slow.notifier.changed("user", id);
    slow.identities.set(token, inRole("C"));
    slow.notifier.changed("role", "given");
    found.resolve();
    expect(await client.call("query", { table: "t" })).toMatchObject({ ok: true, epoch: "C" });
    await slow.stop();
  });

  test("a refusal that was found under old rights is never sent", async () => {
    const reading = Promise.withResolvers<void>();
    let reads = 0;
    const slow = new SocketNode({
      readPage: async ({ subject }) => {
        reads += 1;
        if (reads === 1) await reading.promise;
        if (subject.attributes.group === "A") throw new Refusal("not_found");
        return { records: [], total: reads, totalExact: true, seq: 0, epoch: "e1" };
      },
    });
    await slow.start();
    const token = slow.user("A");
    const client = await slow.connect(token);
    const answer = client.call("query", { table: "t" });
    await until(() => reads === 1);
    slow.changeUser(token, "B");
    reading.resolve();
    expect(await answer).toMatchObject({ ok: true, total: 2 });
    await slow.stop();
  });

  test("a new model is announced to everybody", async () => {
    const client = await following(node.user("A"));
    node.modelVersion = 7;
    node.served.modelChanged(7);
    expect(await client.next("model")).toEqual({ version: 7 });
    await write("r1", "A");
    await client.next("changes");
  });
});

describe("E7 the server announces its health", () => {
  test("degraded is sent at once to open connections, and to new ones", async () => {
    const here = await node.connect(node.user("A"));
    node.trouble = "bus";
    node.served.healthChanged();
    expect(await here.next("notice")).toEqual({ kind: "health", degraded: true, reason: "bus" });
    const newcomer = await node.connect(node.user("A"));
    expect(await newcomer.next("notice")).toMatchObject({ degraded: true });
    node.trouble = null;
    node.served.healthChanged();
    expect(await newcomer.next("notice", 2)).toEqual({ kind: "health", degraded: false });
  });

  test("a stop sends goodbye with a time to come back, and refuses new connections", async () => {
    const clients = [await following(node.user("A")), await following(node.user("B"))];
    await node.served.close();
    for (const client of clients) {
      await client.end();
      const [goodbye] = client.all("goodbye");
      expect(goodbye).toMatchObject({ reason: "restart", retryAfter: expect.any(Number) });
    }
    expect(await node.client({ token: node.user("A") }).refusal()).not.toBeNull();
  });
});

describe("S3 a revalidation that can't finish", () => {
  test("ends the connection, and not the server", async () => {
    const token = node.user("A");
    const [client, other] = [await following(token), await following(node.user("A"))];
    const identity = node.identities.get(token) as Identity;
    const { role } = identity.subject;
    // as another program may have written it: nested deeper than can be read
    let filter: Filter = { field: "group", op: "eq", value: "A" };
    for (let depth = 0; depth < 200_000; depth += 1) filter = { not: filter };
    const grants = { t: { read: { filter } } };
    node.identities.set(token, {
      ...identity,
      subject: { ...identity.subject, role: { ...role, grants } },
    });
    node.notifier.changed("user", identity.subject.id);
    await client.end();
    expect(node.errors).toHaveLength(1);
    expect((await other.call("unsubscribe", { table: "t" })).ok).toBe(true);
  });
});

describe("E6, S3 a missed notification is found by checking", () => {
  /** Counts how often rights were checked without a notification. */
  async function countLookUps(): Promise<{ lookUps: () => number }> {
    await node.stop();
    let lookUps = 0;
    node = await new SocketNode(
      {
        authenticate: async (token, _kind, options) => {
          if (options?.isActivity === false) lookUps += 1;
          return node.identities.get(token) ?? null;
        },
      },
      { RIGHTS_CHECK_INTERVAL_MS: 10 },
    ).start();
    return { lookUps: () => lookUps };
  }

  test("of a session that ended", async () => {
    await countLookUps();
    const token = node.user("A");
    const client = await following(token);
    node.identities.delete(token);
    await client.end();
    expect(client.all("goodbye")).toEqual([{ reason: "signed_out", retryAfter: 0 }]);
  });

  test("of changed rights", async () => {
    await countLookUps();
    const token = node.user("A");
    const client = await following(token);
    const identity = node.identities.get(token) as Identity;
    const { id } = identity.subject;
    node.identities.set(token, { ...identity, subject: { ...subjectOf("B"), id } });
    expect(await client.next("resync")).toEqual({ table: "t", reason: "rights" });
    await write("r1", "A");
    await client.call("subscribe", { table: "t" });
    expect(client.all("changes")).toEqual([]);
  });

  test("without disturbing unchanged connections, or counting as activity", async () => {
    const { lookUps } = await countLookUps();
    const token = node.user("A");
    const client = await following(token);
    const identity = node.identities.get(token) as Identity;
    node.identities.set(token, {
      ...identity,
      expires: new Date(Date.now() + 60_000).toISOString(),
    });
    const before = lookUps();
    await until(() => lookUps() > before + 5);
    expect([client.all("model"), client.all("resync"), client.ended]).toEqual([[], [], null]);
  });
});

test("E6 an open page alone does not prevent the idle end of its session", async () => {
  await node.stop();
  const counted: unknown[] = [];
  node = await new SocketNode({
    authenticate: async (token, _kind, options) => {
      counted.push(options?.isActivity);
      return node.identities.get(token) ?? null;
    },
  }).start();
  const token = node.user("A");
  const client = await following(token);
  const { subject } = node.identities.get(token) as Identity;
  node.notifier.changed("user", subject.id);
  await until(() => counted.length === 2);
  expect((await client.call("query", { table: "t" })).ok).toBe(true);
  expect(counted).toEqual([false, false]);
});

test("E6 an edit prevents the idle end, and each call by a token is a use of it, noted twice a minute at most", async () => {
  await node.stop();
  let noted: string[] = [];
  node = await new SocketNode({
    authenticate: async (token, _kind, options) => {
      if (options?.isActivity) noted.push(token);
      return node.identities.get(token) ?? null;
    },
  }).start();
  const [token, apiToken] = [node.user("A"), node.user("A")];
  const identity = node.identities.get(apiToken) as Identity;
  node.identities.set(apiToken, { ...identity, token: { id: "program", name: "Program" } });
  const [user, program] = [await following(token), await following(apiToken)];
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + 31_000);
  const query = (client: TestClient) => client.call("query", { table: "t" });
  const edit = { id: "m1", ops: [{ op: "create", table: "t", values: {} }] };
  noted = [];
  await query(user);
  await query(program);
  expect((await user.call("mutate", edit)).ok).toBe(true);
  await Promise.all([query(program), user.call("mutate", edit)]);
  clock.mockRestore();
  expect(noted).toEqual([apiToken, token]);
});
