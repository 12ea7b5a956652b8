import { io, type Socket } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROTOCOL_VERSION } from "../../shared/protocol/socket.ts";
import { MachineLag } from "../harness/machine-lag.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { addToken, addUser, signIn, type TestUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { pairDisplay } from "../harness/wallboards.ts";
import { screenReport } from "./call-fixtures.ts";

const WITHIN_MS = 1_000;
const password = "password of Ida";

let installation: TestInstallation;
let ida: TestUser;
beforeAll(async () => {
  installation = await TestInstallation.open();
  ida = await addUser(installation.server.url, installation.ownerUser, "Ida", "editor");
});
afterAll(() => installation[Symbol.asyncDispose]());

async function open({ token }: { token: string }): Promise<Socket> {
  const auth = { protocol: PROTOCOL_VERSION, token };
  const socket = io(installation.server.url, { transports: ["websocket"], forceNew: true, auth });
  await new Promise((resolve, reject) => {
    socket.once("connect", () => resolve(null));
    socket.once("connect_error", reject);
  });
  return socket;
}

/** The milliseconds from the end of a credential until its socket receives goodbye and is closed. */
async function ended(
  socket: Socket,
  reason: "signed_out" | "revoked",
  end: () => Promise<unknown>,
): Promise<number> {
  const notified = new Promise<{ reason: string }>((resolve) => socket.once("goodbye", resolve));
  const closed = new Promise((resolve) => socket.once("disconnect", resolve));
  await end();
  // From the end of the call: hashing a new password takes time deliberately.
  const started = performance.now();
  expect((await notified).reason).toBe(reason);
  await closed;
  return performance.now() - started;
}

describe("E6: a session that is ended closes its open sockets within a second", () => {
  const session = (caller: TestUser) =>
    caller
      .call<{ items: { id: string; current: boolean }[] }>("GET", "/me/sessions")
      .then(({ items }) => items.find(({ current }) => current)?.id);

  it.each<[string, (other: TestUser, id: string | undefined) => Promise<unknown>]>([
    ["by its person, from elsewhere", (_, id) => ida.call("DELETE", `/me/sessions/${id}`)],
    ["with all others of the person", () => ida.call("DELETE", "/me/sessions")],
    [
      "by an admin",
      (_, id) => installation.ownerUser.call("DELETE", `/users/${ida.info.id}/sessions/${id}`),
    ],
    [
      "by a change of the password",
      () => ida.call("PUT", "/me/password", { current: password, password }),
    ],
    [
      "by another program, in the database",
      () =>
        installation.program.query("delete from watchfloor.session where user_agent = 'closed'"),
    ],
  ])("%s", async (how, end) => {
    const other = await signIn(installation.server.url, { email: ida.info.email, password });
    const id = await session(other);
    if (how.includes("database")) {
      const mark = "update watchfloor.session set user_agent = 'closed' where left(id, 16) = $1";
      await installation.program.query(mark, [id]);
    }
    const mine = await open(ida);
    const socket = await open(other);
    const lag = new MachineLag();
    const took = await ended(socket, "signed_out", () => end(other, id));
    expect(took).toBeLessThan(await lag.allowing(WITHIN_MS));
    expect(mine.connected).toBe(true);
    mine.disconnect();
    socket.disconnect();
  });
});

describe("E6: an API token that is no longer valid closes its open sockets within a second", () => {
  const statusOf = async ({ token }: { token: string }) => {
    const headers = { authorization: `Bearer ${token}` };
    const path = "/api/v1/tables/incidents/records?limit=1";
    return (await fetch(installation.server.url + path, { headers })).status;
  };
  const setIda = (set: object) =>
    installation.ownerUser.call("PATCH", `/users/${ida.info.id}`, set);
  const query = "update watchfloor.api_token set revoked_at = now() where id = $1";

  it.each<[string, (id: string) => Promise<unknown>, (() => Promise<unknown>)?]>([
    ["revoked by its creator", (id) => ida.call("DELETE", `/tokens/${id}`)],
    ["revoked by an admin", (id) => installation.ownerUser.call("DELETE", `/tokens/${id}`)],
    ["revoked by another program", (id) => installation.program.query(query, [id])],
    [
      "of a disabled creator",
      () => setIda({ status: "disabled" }),
      async () => {
        await setIda({ status: "active" });
        ida = await signIn(installation.server.url, { email: ida.info.email, password });
      },
    ],
  ])("%s", async (_how, end, restore) => {
    const token = await addToken(ida);
    const other = await addToken(installation.ownerUser);
    const [socket, stays] = [await open(token), await open(other)];
    const lag = new MachineLag();
    const took = await ended(socket, "revoked", () => end(token.id));
    expect(took).toBeLessThan(await lag.allowing(WITHIN_MS));
    expect(await statusOf(token)).toBe(401);
    await expect(open(token)).rejects.toMatchObject({ data: { code: "session_ended" } });
    expect(stays.connected).toBe(true);
    for (const one of [socket, stays]) one.disconnect();
    await restore?.();
  });

  it("expired", async () => {
    const began = Date.now();
    (await open(await addToken(ida))).disconnect();
    // Ten times what the machine needs now until a token's socket is open.
    const expires = Date.now() + 2_000 + 10 * (Date.now() - began);
    const token = await addToken(ida, { expiresAt: new Date(expires).toISOString() });
    const socket = await open(token);
    const lag = new MachineLag();
    await ended(socket, "revoked", async () => {});
    expect(Date.now() - expires).toBeLessThan(await lag.allowing(WITHIN_MS));
    expect(await statusOf(token)).toBe(401);
  });

  it("S3: with other rights of its creator it stays open, and has to subscribe again", async () => {
    const token = await addToken(ida, { role: "editor" });
    const socket = await open(token);
    const call = (event: string, message: object) =>
      socket.timeout(20_000).emitWithAck(event, message);
    expect(await call("subscribe", { table: "incidents" })).toMatchObject({ ok: true });
    const ops = [{ op: "create", table: "incidents", values: { title: "by a program" } }];
    const create = () => call("mutate", { id: crypto.randomUUID(), ops });
    expect(await create()).toMatchObject({ results: [{ ok: true }] });
    const hide = { incidents: { read: { hide: ["notes"] } } };
    const { id: role } = await installation.ownerUser.call<{ id: string }>("POST", "/roles", {
      name: "Reader",
      rights: [],
      grants: hide,
    });
    const resync = new Promise((resolve) => socket.once("resync", resolve));
    await setIda({ role });
    expect(await resync).toEqual({ table: "incidents", reason: "rights" });
    const page = await call("query", { table: "incidents", limit: 1 });
    expect(Object.keys(page.records[0].values)).not.toContain("notes");
    expect(await create()).toMatchObject({ results: [{ error: { code: "forbidden" } }] });
    await call("subscribe", { table: "incidents" });
    // the role of the creator, which bounds that of the token
    const narrowed = new Promise((resolve) => socket.once("resync", resolve));
    const grants = { incidents: { read: { hide: ["notes", "title"] } } };
    await installation.ownerUser.call("PATCH", `/roles/${role}`, { grants });
    await narrowed;
    const again = await call("query", { table: "incidents", limit: 1 });
    expect(Object.keys(again.records[0].values)).not.toContain("title");
    socket.disconnect();
    await setIda({ role: "editor" });
  });

  it("R1: others see a program's presence under the name of its token", async () => {
    const socket = await open(await addToken(ida));
    const mine = await open(installation.ownerUser);
    const lists: { people: { name: string }[] }[] = [];
    mine.on("presence", (message) => lists.push(message));
    await mine.timeout(20_000).emitWithAck("subscribe", { table: "incidents" });
    await socket.timeout(20_000).emitWithAck("presence", { table: "incidents", mode: "viewing" });
    await until("the program is present", 20_000, () =>
      lists.some(({ people }) => people.some(({ name }) => name === "Nightly sync")),
    );
    for (const one of [socket, mine]) one.disconnect();
  });
});

describe("E9: users are notified of changes to what they manage", () => {
  const nextNotice = (socket: Socket, kind: string) =>
    new Promise<void>((resolve) => {
      socket.on("notice", (notice: { kind: string }) => notice.kind === kind && resolve());
    });

  it("the owner receives notices of users, displays and webhooks, a user without the right none", async () => {
    const { ownerUser, server } = installation;
    const [socket, mine] = [await open(ownerUser), await open(ida)];
    const received: string[] = [];
    mine.on("notice", ({ kind }: { kind: string }) => received.push(kind));
    const userNotice = nextNotice(socket, "people");
    const call = { email: "new@example.com", name: "New", role: "viewer" };
    await ownerUser.call("POST", "/users", call);
    await userNotice;
    const hook = {
      name: "Hall",
      url: "https://hall.invalid/",
      table: "incidents",
      events: ["created"],
    };
    const hookNotice = nextNotice(socket, "webhooks");
    const { id } = await ownerUser.call<{ id: string }>("POST", "/webhooks", hook);
    await hookNotice;
    const attemptNotice = nextNotice(socket, "webhooks");
    await ownerUser.call("POST", `/webhooks/${id}/test`);
    await attemptNotice;
    const { token } = await pairDisplay(server.url, ownerUser);
    const reportNotice = nextNotice(socket, "displays");
    await fetch(`${server.url}/api/v1/display/report`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(screenReport),
    });
    await reportNotice;
    // what is sent to everybody at once is here before the answer to a later request
    await mine.timeout(20_000).emitWithAck("unsubscribe", { table: "incidents" });
    // all users may list users, and receive notices of their own sessions: Ida also of those in earlier tests
    const ofOthers = received.filter((kind) => kind !== "people" && kind !== "account");
    expect(ofOthers).toEqual([]);
    for (const one of [socket, mine]) one.disconnect();
  });

  it("all users receive notices of changed users and change sets, and of their own account, without contents", async () => {
    const { ownerUser, server } = installation;
    const socket = await open(ida);
    const nextOf = (kind: string) =>
      new Promise((resolve) => {
        socket.on("notice", (notice: { kind: string }) => notice.kind === kind && resolve(notice));
      });
    const userNotice = nextOf("people");
    await ownerUser.call("PATCH", `/users/${ownerUser.info.id}`, { name: "Olga" });
    expect(await userNotice).toEqual({ kind: "people" });
    const setNotice = nextOf("changeSets");
    await ownerUser.call("POST", "/change-sets", { title: "Rename", ops: [] });
    expect(await setNotice).toEqual({ kind: "changeSets" });
    const accountNotice = nextOf("account");
    await signIn(server.url, { email: ida.info.email, password });
    expect(await accountNotice).toEqual({ kind: "account" });
    socket.disconnect();
  });

  it("a user receives no notice of another user's account", async () => {
    const [socket, mine] = [await open(installation.ownerUser), await open(ida)];
    const received: string[] = [];
    socket.on("notice", ({ kind }: { kind: string }) => received.push(kind));
    const accountNotice = nextNotice(mine, "account");
    await addToken(ida);
    await accountNotice;
    await socket.timeout(20_000).emitWithAck("unsubscribe", { table: "incidents" });
    expect(received).not.toContain("account");
    for (const one of [socket, mine]) one.disconnect();
  });
});
