import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { until } from "../relay/testing/bus-contract.ts";
import { SocketNode } from "./testing/socket-node.ts";
import type { TestClient } from "./testing/test-client.ts";

let node: SocketNode;
let client: TestClient;
beforeEach(async () => {
  node = await new SocketNode().start();
  client = await node.connect(node.user("A"));
});
afterEach(() => node.stop());

const events = ["subscribe", "unsubscribe", "query", "mutate", "presence"];

describe("E3 whatever a client sends is answered, and does no harm", () => {
  test("random messages to every event", async () => {
    const event = fc.constantFrom(
      ...events,
      "constructor",
      "__proto__",
      "toString",
      "tiles",
      "leaveTiles",
    );
    const message = fc.oneof(fc.jsonValue(), fc.record({ table: fc.jsonValue() }));
    await fc.assert(
      fc.asyncProperty(event, message, async (name, sent) => {
        const answer = await client.call(name, sent);
        if (answer.ok !== true)
          expect(answer).toMatchObject({ ok: false, error: { code: /^\w+$/ } });
      }),
      { numRuns: 150 },
    );
    expect(node.errors).toEqual([]);
    expect(client.socket.connected).toBe(true);
  });

  test.each([
    ["no message", []],
    ["two messages", [{ table: "t" }, { table: "t" }]],
    ["bytes", [Buffer.from("table")]],
    ["an unknown key", [{ table: "t", more: 1 }]],
    ["a name that is too long", [{ table: "t".repeat(200) }]],
  ])("%s is an invalid request", async (_title, args) => {
    const answer = await client.call("subscribe", ...args);
    expect(answer).toMatchObject({ ok: false, error: { code: "invalid_request" } });
  });

  test("an unknown event is an invalid request", async () => {
    expect(await client.call("drop", {})).toMatchObject({ error: { code: "invalid_request" } });
  });

  test("a message without an acknowledgement is processed all the same, valid or not", async () => {
    for (const event of [...events, "drop"]) {
      client.socket.emit(event, { table: "t" });
      client.socket.emit(event, "nonsense");
      client.socket.emit(event);
    }
    expect((await client.call("unsubscribe", { table: "t" })).ok).toBe(true);
    expect(node.errors).toEqual([]);
  });

  test("a message with more than 8 arguments ends that connection only, one with 8 is answered", async () => {
    const other = await node.connect(node.user("B"));
    const answer = await other.call("drop", 1, 2, 3, 4, 5, 6, 7, 8);
    expect(answer).toMatchObject({ error: { code: "invalid_request" } });
    client.socket.emit("drop", 1, 2, 3, 4, 5, 6, 7, 8, 9);
    await client.end();
    expect((await other.call("unsubscribe", { table: "t" })).ok).toBe(true);
    expect(node.errors).toEqual([]);
  });

  test("a message beyond the limit of size ends that connection only", async () => {
    const other = await node.connect(node.user("B"));
    client.socket.emit("query", { table: "t", search: "x".repeat(200_000) });
    await client.end();
    expect((await other.call("subscribe", { table: "t" })).ok).toBe(true);
  });
});

test("R1 a connection is sent who is there as it begins to follow, once its rights are known again, and when one leaves", async () => {
  await node.stop();
  node = await new SocketNode({}, { PRESENCE_TTL_MS: 600_000 }).start();
  const [token, here] = [node.user("A"), await node.connect(node.user("A"))];
  await here.call("subscribe", { table: "t" });
  await here.call("presence", { table: "t", mode: "viewing" });
  await until(() => here.all("presence").some(({ people }) => (people as unknown[]).length === 1));
  client = await node.connect(token);
  await client.call("subscribe", { table: "t" });
  expect(await client.next("presence")).toMatchObject({ table: "t", people: [{ name: "A" }] });
  node.changeUser(token, "A");
  expect(await client.next("presence", 2)).toMatchObject({ people: [{ name: "A" }] });
  here.socket.disconnect();
  expect(await client.next("presence", 3)).toMatchObject({ people: [] });
});

describe("E4 internals are not revealed", () => {
  test("an unforeseen error is internal with a reference that is in the log", async () => {
    const broken = new SocketNode({
      readPage: () => Promise.reject(new Error("the secret of the inside")),
    });
    await broken.start();
    const caller = await broken.connect(broken.user("A"));
    const answer = await caller.call("query", { table: "t" });
    expect(answer).toMatchObject({ ok: false, error: { code: "internal" } });
    expect(JSON.stringify(answer)).not.toContain("secret");
    const { reference } = answer.error as { reference: string };
    expect(broken.errors).toMatchObject([{ reference, during: "call query" }]);
    await broken.stop();
  });

  test("a handshake that fails unexpectedly has a reference that is in the log", async () => {
    const broken = new SocketNode({
      authenticate: () => Promise.reject(new Error("the secret of the inside")),
    });
    await broken.start();
    const refusal = await broken.client({ token: "any" }).refusal();
    expect(refusal).toMatchObject({ code: "internal" });
    expect(JSON.stringify(refusal)).not.toContain("secret");
    const { reference } = refusal as unknown as { reference: string };
    expect(broken.errors).toMatchObject([{ reference, during: "handshake" }]);
    await broken.stop();
  });
});

describe("E5 a socket may send so much and no more", () => {
  test("a burst passes, a flood gets a retry time", async () => {
    const strict = new SocketNode({}, { SOCKET_MESSAGES_PER_SECOND: 2 });
    await strict.start();
    const caller = await strict.connect(strict.user("A"));
    const call = () => caller.call("unsubscribe", { table: "t" });
    const answers = await Promise.all(Array.from({ length: 30 }, call));
    const refused = answers.filter(({ ok }) => !ok);
    expect(answers.slice(0, 20).every(({ ok }) => ok)).toBe(true);
    expect(refused.length).toBeGreaterThan(5);
    for (const { error } of refused) {
      expect(error).toMatchObject({ code: "rate_limited", retryAfter: expect.any(Number) });
    }
    await strict.stop();
  });
});
