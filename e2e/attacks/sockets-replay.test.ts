import { io } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SubscribeAnswer, SubscribeCall } from "../../shared/protocol/feed.ts";
import { PROTOCOL_VERSION } from "../../shared/protocol/socket.ts";
import { ServerProcess } from "../harness/server-process.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { addUser, type TestUser } from "../harness/test-user.ts";
import { workableIncident } from "../harness/workable-incident.ts";
import { sharedRedisUrl } from "../provision/databases.ts";

const WITHIN_MS = 60_000;
const SECRET = "a title that nobody may read any more";

let installation: TestInstallation<ServerProcess>;
let other: ServerProcess;
const record = workableIncident(0);

beforeAll(async () => {
  installation = await TestInstallation.open({ environment: { REDIS_URL: sharedRedisUrl() } });
  other = await ServerProcess.start({
    environment: { DATABASE_URL: installation.databaseUrl, REDIS_URL: sharedRedisUrl() },
  });
  await retitle(SECRET);
  await retitle("what is stored now");
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await installation[Symbol.asyncDispose]();
});

async function retitle(title: string): Promise<void> {
  const path = `/tables/incidents/records/${record}?overwrite=true`;
  await installation.ownerUser.call("PATCH", path, { set: { title } });
}

async function reader(name: string): Promise<TestUser> {
  const grants = { incidents: { read: true } };
  const role = await installation.ownerUser.call<{ id: string }>("POST", "/roles", {
    name,
    rights: [],
    grants,
  });
  return addUser(installation.server.url, installation.ownerUser, name, role.id);
}

async function subscribe(
  { token }: TestUser,
  after?: SubscribeCall["after"],
  { url } = installation.server,
): Promise<SubscribeAnswer> {
  const auth = { protocol: PROTOCOL_VERSION, token };
  const socket = io(url, { transports: ["websocket"], forceNew: true, auth });
  try {
    const call = { table: "incidents", ...(after && { after }) };
    return await socket.timeout(WITHIN_MS).emitWithAck("subscribe", call);
  } finally {
    socket.close();
  }
}

describe("a position of somebody without the right to history", () => {
  it("replays nothing from before their session, whatever the position", async () => {
    const eve = await reader("Eve");
    const { epoch, seq, scope } = await subscribe(eve);
    for (let from = seq - 1; from >= Math.max(0, seq - 5); from -= 1) {
      const answer = await subscribe(eve, { epoch, seq: from, scope });
      expect(answer).toMatchObject({ ok: true, resync: true });
      expect(JSON.stringify(answer)).not.toContain(SECRET);
    }
  });

  it("replays nothing by the scope of another session, a cut or an invented one", async () => {
    const [ann, ben] = [await reader("Ann"), await reader("Ben")];
    const annStart = await subscribe(ann);
    const benStart = await subscribe(ben);
    const [key = "", epoch = ""] = benStart.scope.split(".");
    const tokens = [
      annStart.scope,
      key,
      `${key}.${epoch}.0`,
      benStart.scope.replace(/\.\d+\./, ".0."),
      "",
    ];
    await retitle("seen by both");
    for (const scope of tokens) {
      const answer = await subscribe(ben, { epoch: benStart.epoch, seq: benStart.seq, scope });
      expect(answer).toMatchObject({ ok: true, resync: true });
    }
    const { seq, scope } = benStart;
    const own = async () =>
      (await subscribe(ben, { epoch: benStart.epoch, seq, scope })).replay?.map(
        ({ set }) => set.title,
      );
    await expect.poll(own).toEqual(["seen by both"]);
  });

  it("replays what the session missed, on every server and after a restart", async () => {
    const ida = await reader("Ida");
    const { epoch, seq, scope } = await subscribe(ida);
    await retitle("missed");
    const missed = async (server: ServerProcess) =>
      (await subscribe(ida, { epoch, seq, scope }, server)).replay?.map(({ set }) => set.title);
    // Another server receives the change a moment later; until then there is nothing to replay.
    await expect.poll(() => missed(other)).toEqual(["missed"]);
    await other.kill("SIGKILL");
    await other.start();
    expect(await missed(other)).toEqual(["missed"]);
    expect(await missed(installation.server)).toEqual(["missed"]);
  });

  it("replays nothing from a time in which they saw less", async () => {
    const una = await reader("Una");
    const { epoch, seq, scope } = await subscribe(una);
    const path = `/roles/${una.info.role}`;
    const [all, few] = [
      { incidents: { read: true } },
      { incidents: { read: { hide: ["title"] } } },
    ];
    await installation.ownerUser.call("PATCH", path, { grants: few, base: { grants: all } });
    await retitle(SECRET);
    await retitle("what is stored now");
    await installation.ownerUser.call("PATCH", path, { grants: all, base: { grants: few } });
    const answer = await subscribe(una, { epoch, seq, scope });
    expect(answer).toMatchObject({ ok: true, resync: true });
    expect(JSON.stringify(answer)).not.toContain(SECRET);
  });
});
