import { io } from "socket.io-client";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CommentInfo } from "../../shared/protocol/comments.ts";
import { PROTOCOL_VERSION } from "../../shared/protocol/socket.ts";
import { ServerProcess } from "../harness/server-process.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { addUser, type TestUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { startRedis, type TestRedis } from "../provision/redis.ts";

const GUARD_MS = 120_000;
let redis: TestRedis;
let installation: TestInstallation;
let other: ServerProcess;
let serial = 0;

beforeAll(async () => {
  redis = await startRedis();
  const environment = { REDIS_URL: redis.url };
  installation = await TestInstallation.openInProcess({ environment });
  const second = { ...environment, DATABASE_URL: installation.databaseUrl };
  const group = { values: { name: "Night shift" } };
  await installation.ownerUser.call("POST", "/tables/groups/records", group);
  other = await ServerProcess.start({ environment: second });
});
afterAll(async () => {
  await other.kill();
  await installation[Symbol.asyncDispose]();
  await redis.close();
});

/** The notices that a user who follows incidents on the other server receives from now on. */
async function listen({ token }: Pick<TestUser, "token">) {
  const auth = { protocol: PROTOCOL_VERSION, token };
  const socket = io(other.url, { transports: ["websocket"], forceNew: true, auth });
  const notices: string[] = [];
  socket.on("notice", ({ kind, record = "" }: { kind: string; record?: string }) => {
    if (kind === "comment" || kind === "mentions") notices.push(`${kind} ${record}`.trim());
  });
  await new Promise((resolve) => socket.once("connect", () => resolve(null)));
  await socket.emitWithAck("subscribe", { table: "incidents" });
  return { notices, close: () => socket.close() };
}

async function memberOf(group: string): Promise<TestUser> {
  const { server, ownerUser } = installation;
  const name = `Member ${++serial}`;
  const read = { filter: { field: "group", op: "eq", value: "$me.group" } };
  const call = { name, rights: [], grants: { incidents: { read } } };
  const { id } = await ownerUser.call<{ id: string }>("POST", "/roles", call);
  const user = await addUser(server.url, ownerUser, name, id);
  await ownerUser.call("PATCH", `/users/${user.info.id}`, { attributes: { group } });
  return user;
}

async function incident(group: string): Promise<string> {
  const call = { values: { title: "Down", group } };
  const path = "/tables/incidents/records";
  return (await installation.ownerUser.call<{ id: string }>("POST", path, call)).id;
}

it("K5 users who can read the record and those mentioned are notified on every server, nobody else", async () => {
  const { ownerUser } = installation;
  const [reader, mentioned, outsider] = await Promise.all([
    memberOf("Network"),
    memberOf("Network"),
    memberOf("Night shift"),
  ]);
  const lines = await Promise.all([reader, mentioned, outsider].map(listen));
  const [readerLine, mentionedLine, outsiderLine] = lines;
  const [record, elsewhere] = [await incident("Network"), await incident("Night shift")];
  const text = `<@${mentioned.info.id}> look`;
  const { id } = await ownerUser.call<CommentInfo>("POST", "/comments", {
    table: "incidents",
    record,
    text,
  });
  await until("mentioned", GUARD_MS, () => new Set(mentionedLine?.notices).size === 2);
  expect(new Set(mentionedLine?.notices)).toEqual(new Set([`comment ${record}`, "mentions"]));
  await ownerUser.call("PATCH", `/comments/${id}`, { resolved: true });
  await ownerUser.call("DELETE", `/comments/${id}`);
  await until("each change", GUARD_MS, () => (readerLine?.notices.length ?? 0) >= 3);
  await ownerUser.call("POST", "/comments", {
    table: "incidents",
    record: elsewhere,
    text: "Here",
  });
  await until("the other group", GUARD_MS, () => (outsiderLine?.notices.length ?? 0) > 0);
  // notices of the first record would have arrived before
  expect(new Set(outsiderLine?.notices)).toEqual(new Set([`comment ${elsewhere}`]));
  expect(new Set(readerLine?.notices)).toEqual(new Set([`comment ${record}`]));
  for (const { close } of lines) close();
});

it("K5 a changed comment on a deleted record is not announced to a user who reads another one of its id", async () => {
  const { ownerUser } = installation;
  const [former, reader] = await Promise.all([memberOf("Network"), memberOf("Night shift")]);
  const record = await incident("Network");
  const call = { table: "incidents", record, text: "Former" };
  const { id } = await ownerUser.call<CommentInfo>("POST", "/comments", call);
  await ownerUser.call("DELETE", `/tables/incidents/records/${record}?overwrite=true`);
  const again = { record, values: { title: "Another", group: "Night shift" } };
  await ownerUser.call("POST", "/tables/incidents/records", again);
  const other = await incident("Night shift");
  const lines = await Promise.all([former, reader, ownerUser].map(listen));
  const [formerLine, readerLine, ownerLine] = lines;
  const hasHeard = (line: (typeof lines)[number] | undefined, of: string) =>
    line?.notices.includes(`comment ${of}`) ?? false;
  await ownerUser.call("PATCH", `/comments/${id}`, { resolved: true });
  await until("the owner", GUARD_MS, () => hasHeard(ownerLine, record));
  await ownerUser.call("POST", "/comments", { ...call, record: other });
  await until("the other record", GUARD_MS, () => hasHeard(readerLine, other));
  // the notice of the former comment would have arrived before
  expect(hasHeard(readerLine, record)).toBe(false);
  expect(formerLine?.notices).toEqual([]);
  for (const { close } of lines) close();
});

it("K5 without the bus, comments made on another server are found in the database", async () => {
  const reader = await listen(await memberOf("Network"));
  const record = await incident("Network");
  await redis.stop();
  await installation.ownerUser.call("POST", "/comments", {
    table: "incidents",
    record,
    text: "Late",
  });
  await until("notified", GUARD_MS, () => reader.notices.includes(`comment ${record}`));
  await redis.start();
  reader.close();
});
