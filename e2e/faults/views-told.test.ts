import { io } from "socket.io-client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PROTOCOL_VERSION } from "../../shared/protocol/socket.ts";
import type { ViewInfo } from "../../shared/protocol/views.ts";
import { Desk } from "../harness/desk.ts";
import { addPerson, type Person } from "../harness/person.ts";
import { until } from "../harness/until.ts";

const GUARD_MS = 120_000;
let desk: Desk;
let nobody = 0;

beforeAll(async () => {
  desk = await Desk.open();
});
afterAll(() => desk[Symbol.asyncDispose]());

/** What somebody is told of views from now on. */
async function listen({ token }: Pick<Person, "token">) {
  const socket = io(desk.server.url, {
    transports: ["websocket"],
    forceNew: true,
    auth: { protocol: PROTOCOL_VERSION, token },
  });
  const told: (string | undefined)[] = [];
  socket.on("notice", (notice: { kind: string; table?: string }) => {
    if (notice.kind === "views") told.push(notice.table);
  });
  await new Promise((resolve) => socket.once("connect", () => resolve(null)));
  return { told, close: () => socket.close() };
}

async function personWith(grants: object): Promise<Person> {
  const call = { name: `Role ${++nobody}`, rights: [], grants };
  const { id } = await desk.boss.call<{ id: string }>("POST", "/roles", call);
  return addPerson(desk.server.url, desk.boss, `Person ${nobody}`, id);
}

it("V4 whatever program changes a view, they are told whom it concerns, and nobody else", async () => {
  const ida = await addPerson(desk.server.url, desk.boss, "Ida", "editor");
  const other = await personWith({ groups: { read: true } });
  const [boss, mine, stranger] = await Promise.all([ida, desk.boss, other].map(listen));
  if (!boss || !mine || !stranger) return expect.unreachable();
  const [hers, his] = [boss, mine];
  const call = { table: "incidents", name: "Late", shared: true };
  const { id } = await desk.boss.call<ViewInfo>("POST", "/views", call);
  for (const line of [hers, his])
    await until("told", GUARD_MS, () => line.told.includes("incidents"));

  hers.told.length = 0;
  his.told.length = 0;
  await ida.call("POST", "/views", { table: "incidents", name: "My own" });
  await until("its owner is told", GUARD_MS, () => hers.told.includes("incidents"));
  await desk.program.query("update watchfloor.view set name = 'Later' where id = $1", [id]);
  await until("all are told", GUARD_MS, () => his.told.includes("incidents"));
  // what was told of the view that is Ida's alone would have come before
  expect(his.told).toEqual(["incidents"]);
  expect(stranger.told).not.toContain("incidents");

  for (const line of [hers, his, stranger]) line.told.length = 0;
  await desk.program.query("set session_replication_role = replica");
  await desk.program.query("delete from watchfloor.view where id = $1", [id]);
  await desk.program.query("reset session_replication_role");
  for (const line of [hers, his, stranger]) {
    await until("it is found by looking", GUARD_MS, () => line.told.includes(undefined));
    line.close();
  }
});
