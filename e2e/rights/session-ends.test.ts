import { io, type Socket } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROTOCOL_VERSION } from "../../shared/protocol/socket.ts";
import { MachineLag } from "../harness/machine-lag.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { addUser, signIn, type TestUser } from "../harness/test-user.ts";

const WITHIN_MS = 1_000;
const password = "password of Ida";

let installation: TestInstallation;
let ida: TestUser;
beforeAll(async () => {
  installation = await TestInstallation.open();
  ida = await addUser(installation.server.url, installation.ownerUser, "Ida", "editor");
});
afterAll(() => installation[Symbol.asyncDispose]());

async function open({ token }: TestUser): Promise<Socket> {
  const auth = { protocol: PROTOCOL_VERSION, token };
  const socket = io(installation.server.url, { transports: ["websocket"], forceNew: true, auth });
  await new Promise((resolve, reject) => {
    socket.once("connect", () => resolve(null));
    socket.once("connect_error", reject);
  });
  return socket;
}

describe("E6: a session that is ended closes its open sockets within a second", () => {
  const session = (caller: TestUser) =>
    caller
      .call<{ items: { id: string; current: boolean }[] }>("GET", "/me/sessions")
      .then(({ items }) => items.find(({ current }) => current)?.id);

  /** The milliseconds from the end of its session until the socket receives goodbye and is closed. */
  async function ended(socket: Socket, end: () => Promise<unknown>): Promise<number> {
    const notified = new Promise<{ reason: string }>((resolve) => socket.once("goodbye", resolve));
    const closed = new Promise((resolve) => socket.once("disconnect", resolve));
    await end();
    // From the end of the call: hashing a new password takes time deliberately.
    const started = performance.now();
    expect((await notified).reason).toBe("signed_out");
    await closed;
    return performance.now() - started;
  }

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
    const took = await ended(socket, () => end(other, id));
    expect(took).toBeLessThan(await lag.allowing(WITHIN_MS));
    expect(mine.connected).toBe(true);
    mine.disconnect();
    socket.disconnect();
  });
});

describe("E9: a user who manages users is notified of changes to them", () => {
  it("the owner receives a notice of a new user, a user without the right does not", async () => {
    const ownerUser = await open(installation.ownerUser);
    const mine = await open(ida);
    const received: string[] = [];
    mine.on("notice", ({ kind }: { kind: string }) => received.push(kind));
    const notified = new Promise<void>((resolve) => {
      ownerUser.on("notice", ({ kind }: { kind: string }) => kind === "people" && resolve());
    });
    const call = { email: "new@example.com", name: "New", role: "viewer" };
    await installation.ownerUser.call("POST", "/users", call);
    await notified;
    // what is sent to everybody at once is here before the answer to a later request
    await mine.timeout(20_000).emitWithAck("unsubscribe", { table: "incidents" });
    expect(received).not.toContain("people");
    ownerUser.disconnect();
    mine.disconnect();
  });
});
