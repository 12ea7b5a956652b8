import { io, type Socket } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROTOCOL_VERSION } from "../../shared/protocol/socket.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { addUser, type TestUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { createWallboard, pairDisplay } from "../harness/wallboards.ts";

/**
 * Postgres notifies nobody of changed rights, as in a restore without triggers: the change is found by
 * checking.
 */

const GUARD_MS = 120_000;
let installation: TestInstallation;
let ida: TestUser;
beforeAll(async () => {
  installation = await TestInstallation.openInProcess({
    environment: { RIGHTS_CHECK_INTERVAL_MS: "100" },
  });
  ida = await addUser(installation.server.url, installation.ownerUser, "Ida", "editor");
});
afterAll(() => installation[Symbol.asyncDispose]());

async function runWithoutTriggers(statement: string, values: unknown[]): Promise<void> {
  await installation.program.query("set session_replication_role = replica");
  await installation.program.query(statement, values);
  await installation.program.query("reset session_replication_role");
}

interface Line {
  socket: Socket;
  received: { event: string; message: Record<string, unknown> }[];
  has(event: string): Record<string, unknown> | undefined;
}

async function open(auth: object): Promise<Line> {
  const socket = io(installation.server.url, {
    transports: ["websocket"],
    forceNew: true,
    reconnection: false,
    auth: { protocol: PROTOCOL_VERSION, ...auth },
  });
  const received: Line["received"] = [];
  socket.onAny((event: string, message) => received.push({ event, message }));
  await new Promise((resolve, reject) => {
    socket.once("connect", () => resolve(null));
    socket.once("connect_error", reject);
  });
  const has = (event: string) => received.find((one) => one.event === event)?.message;
  return { socket, received, has };
}

describe("E6, S3: a missed notification", () => {
  it("another role is another scope on the open connection", async () => {
    const line = await open({ token: ida.token });
    const follow = () =>
      line.socket.timeout(GUARD_MS).emitWithAck("subscribe", { table: "incidents" });
    expect(await follow()).toMatchObject({ ok: true });
    await runWithoutTriggers(`update watchfloor."user" set role = 'display' where id = $1`, [
      ida.info.id,
    ]);
    const resync = await until("the scope ends", GUARD_MS, () => line.has("resync"));
    expect(resync).toEqual({ table: "incidents", reason: "rights" });
    expect(await follow()).toMatchObject({ ok: false, error: { code: "not_found" } });
    line.socket.close();
  });

  it("a session that is gone ends its connection", async () => {
    const line = await open({ token: ida.token });
    await runWithoutTriggers("delete from watchfloor.session where user_id = $1", [ida.info.id]);
    const goodbye = await until("goodbye", GUARD_MS, () => line.has("goodbye"));
    expect(goodbye.reason).toBe("signed_out");
    await until("the line ends", GUARD_MS, () => line.socket.disconnected);
  });

  it("a display follows its program, and ends when it is revoked", async () => {
    const wallboard = await createWallboard(installation.ownerUser);
    const { id, token } = await pairDisplay(installation.server.url, installation.ownerUser, [
      wallboard,
    ]);
    const line = await open({ as: "display", token });
    const program = await until("its program", GUARD_MS, () => line.has("display"));
    expect(program.boards).toEqual([wallboard]);
    line.received.length = 0;
    await runWithoutTriggers("update watchfloor.display set name = 'Another' where id = $1", [id]);
    // notifications of its pairing may still be in flight
    await until("the new one", GUARD_MS, () =>
      line.received.some(({ event, message }) => event === "display" && message.name === "Another"),
    );
    await runWithoutTriggers("update watchfloor.display set token_hash = null where id = $1", [id]);
    const goodbye = await until("goodbye", GUARD_MS, () => line.has("goodbye"));
    expect(goodbye.reason).toBe("revoked");
    await until("the line ends", GUARD_MS, () => line.socket.disconnected);
  });
});
