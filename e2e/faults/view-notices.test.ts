import { io } from "socket.io-client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PROTOCOL_VERSION } from "../../shared/protocol/socket.ts";
import type { ViewInfo } from "../../shared/protocol/views.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { addUser, type TestUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";

const GUARD_MS = 120_000;
let installation: TestInstallation;
let serial = 0;

beforeAll(async () => {
  installation = await TestInstallation.openInProcess();
});
afterAll(() => installation[Symbol.asyncDispose]());

/** The notices about views that a user receives from now on. */
async function listen({ token }: Pick<TestUser, "token">) {
  const socket = io(installation.server.url, {
    transports: ["websocket"],
    forceNew: true,
    auth: { protocol: PROTOCOL_VERSION, token },
  });
  const notices: (string | undefined)[] = [];
  socket.on("notice", (notice: { kind: string; table?: string }) => {
    if (notice.kind === "views") notices.push(notice.table);
  });
  await new Promise((resolve) => socket.once("connect", () => resolve(null)));
  return { notices, close: () => socket.close() };
}

async function userWith(grants: object): Promise<TestUser> {
  const call = { name: `Role ${++serial}`, rights: [], grants };
  const { id } = await installation.ownerUser.call<{ id: string }>("POST", "/roles", call);
  return addUser(installation.server.url, installation.ownerUser, `Person ${serial}`, id);
}

it("V4 whatever program changes a view, the users concerned are notified, and nobody else", async () => {
  const ida = await addUser(installation.server.url, installation.ownerUser, "Ida", "editor");
  const other = await userWith({ groups: { read: true } });
  const [ownerUser, ownerConnection, outsider] = await Promise.all(
    [ida, installation.ownerUser, other].map(listen),
  );
  if (!ownerUser || !ownerConnection || !outsider) return expect.unreachable();
  const [editorNotices, ownerNotices] = [ownerUser, ownerConnection];
  const call = { table: "incidents", name: "Late", shared: true };
  const { id } = await installation.ownerUser.call<ViewInfo>("POST", "/views", call);
  for (const line of [editorNotices, ownerNotices])
    await until("notified", GUARD_MS, () => line.notices.includes("incidents"));

  editorNotices.notices.length = 0;
  ownerNotices.notices.length = 0;
  await ida.call("POST", "/views", { table: "incidents", name: "My own" });
  await until("its owner is notified", GUARD_MS, () => editorNotices.notices.includes("incidents"));
  await installation.program.query("update watchfloor.view set name = 'Later' where id = $1", [id]);
  await until("all are notified", GUARD_MS, () => ownerNotices.notices.includes("incidents"));
  // A notice about Ida's personal view would have arrived before.
  const [first] = ownerNotices.notices;
  expect(first).toBe("incidents");
  expect(outsider.notices).not.toContain("incidents");

  // The poll finds every change once more, and from then on what nobody notified of.
  await until("it is polled", GUARD_MS, () => ownerNotices.notices.length > 1);
  for (const line of [editorNotices, ownerNotices, outsider]) line.notices.length = 0;
  await installation.program.query("set session_replication_role = replica");
  await installation.program.query("delete from watchfloor.view where id = $1", [id]);
  await installation.program.query("reset session_replication_role");
  for (const line of [editorNotices, ownerNotices])
    await until("it is found by polling", GUARD_MS, () => line.notices.includes("incidents"));
  expect(outsider.notices).not.toContain("incidents");
  for (const line of [editorNotices, ownerNotices, outsider]) line.close();
});
