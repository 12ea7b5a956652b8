import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SESSION_COOKIE } from "../http/credential.ts";
import { SocketNode } from "./testing/socket-node.ts";

let node: SocketNode;
beforeEach(async () => {
  node = await new SocketNode().start();
});
afterEach(() => node.stop());

const cookieOf = (token: string) => ({ cookie: `${SESSION_COOKIE}=${token}` });

describe("E1 a refused handshake gives its reason by a code of the catalogue", () => {
  test("a client of another protocol has to update, whoever it is", async () => {
    const client = node.client({ protocol: 0, token: node.user("A") });
    expect(await client.refusal()).toMatchObject({ code: "update_required" });
  });

  test("a handshake without a credential is unauthenticated", async () => {
    expect(await node.client({}).refusal()).toMatchObject({ code: "unauthenticated" });
  });

  test("an invalid token is an ended session", async () => {
    const refusal = await node.client({ token: "worthless" }).refusal();
    expect(refusal).toMatchObject({ code: "session_ended" });
  });

  test.each([[7], [{}], [["x"]], [null]])(
    "a token that is not text (%j) counts as none",
    async (token) => {
      expect(await node.client({ token }).refusal()).toMatchObject({ code: "unauthenticated" });
    },
  );

  test("an address with too many handshakes gets a retry time, before anything is looked up", async () => {
    node.isStoreUnavailable = true;
    node.refusedConnections = true;
    const refusal = await node.client({ token: node.user("A") }).refusal();
    expect(refusal).toMatchObject({ code: "rate_limited", retryAfter: 7 });
  });

  test("a failure of the database is unavailable, not a reason to sign out", async () => {
    const token = node.user("A");
    node.isStoreUnavailable = true;
    expect(await node.client({ token }).refusal()).toMatchObject({ code: "unavailable" });
  });
});

describe("E2 a page names the user it works for", () => {
  test("with another user's session it is refused, so that nothing is sent in their name", async () => {
    const token = node.user("A");
    const { user } = node.identities.get(token) ?? {};
    const mine = node.client({ token, user: user?.id });
    expect(await mine.refusal()).toBeNull();
    const other = node.client({ token, user: "somebody else" });
    expect(await other.refusal()).toMatchObject({ code: "session_ended" });
  });
});

describe("E2 the session cookie counts only from our own pages", () => {
  test("it is sufficient by itself", async () => {
    const extraHeaders = cookieOf(node.user("A"));
    const client = node.client({}, { extraHeaders });
    await client.connected();
    expect((await client.call("subscribe", { table: "t" })).ok).toBe(true);
  });

  test("from another site it is refused", async () => {
    const extraHeaders = { ...cookieOf(node.user("A")), origin: "https://elsewhere.example" };
    const refusal = await node.client({}, { extraHeaders }).refusal();
    expect(refusal).toMatchObject({ code: "forbidden" });
  });

  test("a token in the page itself needs no origin", async () => {
    const extraHeaders = { origin: "https://elsewhere.example" };
    await node.client({ token: node.user("A") }, { extraHeaders }).connected();
  });
});
