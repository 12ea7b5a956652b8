import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MutateAnswer } from "../../shared/protocol/mutate.ts";
import { LineProxy } from "../harness/line-proxy.ts";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { createInstalled } from "../harness/test-installation.ts";
import { signIn, type TestUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { workableIncident } from "../harness/workable-incident.ts";
import type { TestDatabase } from "../provision/create-database.ts";
import { systemOverTcp } from "../provision/databases.ts";
import { Backends } from "./testing/stopped-backends.ts";

/** A server that is asked to stop while something hangs. */

const RECORD = workableIncident(0);
const SHORT_STOP_MS = "4000";
/** Enough for everything but a client's closing handshake, which the library gives 30 s. */
const LONGER_STOP_MS = "25000";
/** It would end no test: what ends the server then is something else. */
const ENDLESS_STOP_MS = "3600000";
const SIGNAL_INTERVAL_MS = 50;

let database: TestDatabase;
let line: LineProxy;
let server: ServerProcess;
let me: TestUser;
let backends: Backends;

async function start(stopTimeoutMs: string): Promise<void> {
  const through = new URL(database.url);
  through.port = new URL(line.url).port;
  const environment = {
    DATABASE_URL: through.href,
    WATCHFLOOR_STOP_TIMEOUT_MS: stopTimeoutMs,
  };
  server = await ServerProcess.start({ environment });
  me = await signIn(server.url, owner);
}

beforeEach(async () => {
  database = await createInstalled(systemOverTcp);
  line = await LineProxy.start(Number(new URL(database.url).port));
  backends = await Backends.of(database.url);
});
afterEach(async () => {
  await backends[Symbol.asyncDispose]();
  await server.kill();
  await line[Symbol.asyncDispose]();
  await database.drop();
});

const titleOf = async () => (await me.record("incidents", RECORD)).values.title;

function edit(id: string, from: unknown, to: string): Promise<MutateAnswer> {
  const op = { op: "update", table: "incidents", record: RECORD, set: { title: to } };
  return me.call("POST", "/mutations", { id, ops: [{ ...op, base: { title: from } }] });
}

/** A connection on which these lines were sent, and that answers nothing from then on. */
async function silentConnection(lines: readonly string[]) {
  const socket = connect(server.port, "127.0.0.1").on("error", () => {});
  await once(socket, "connect");
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  return socket;
}

describe("a server that is asked to stop", () => {
  it("ends although the database answers nothing, names what it cut off, and loses no acknowledged edit", async () => {
    await start(SHORT_STOP_MS);
    await edit("acknowledged", await titleOf(), "acknowledged");
    await backends.stop("watchfloor-writer");
    const unanswered = edit("unanswered", "acknowledged", "sent again").catch(() => "cut off");
    await until("the edit waits", 60_000, async () => (await metric("mutations_waiting")) > 0);
    line.stall();
    expect(await server.kill("SIGTERM")).toBe(1);
    expect(await unanswered).toBe("cut off");
    const logged = server.output.split("\n").find((text) => text.includes("stopped before"));
    expect(JSON.parse(logged ?? "{}")).toMatchObject({
      parts: expect.arrayContaining(["edits and reads", "statements"]),
      mutations: 1,
    });
    line.restore();
    backends.resume();
    await start(SHORT_STOP_MS);
    expect(await titleOf()).toBe("acknowledged");
    const again = await edit("unanswered", "acknowledged", "sent again");
    expect(again.results).toMatchObject([{ ok: true }]);
    expect(await titleOf()).toBe("sent again");
  });

  it("ends at once by a second signal", async () => {
    await start(ENDLESS_STOP_MS);
    line.stall();
    const { pid } = server;
    let hasEnded = false;
    const ended = server.kill("SIGTERM").finally(() => {
      hasEnded = true;
    });
    while (!hasEnded) {
      await sleep(SIGNAL_INTERVAL_MS);
      if (!hasEnded) process.kill(pid, "SIGTERM");
    }
    expect(await ended).toBe(1);
    expect(server.output).toContain("ended by a second signal");
  });

  it("cuts off a request whose body does not arrive", async () => {
    await start(SHORT_STOP_MS);
    const socket = await silentConnection([
      "POST /api/v1/mutations HTTP/1.1",
      "Host: localhost",
      `Authorization: Bearer ${me.token}`,
      "Content-Type: application/json",
      "Content-Length: 1000",
      "Expect: 100-continue",
    ]);
    await once(socket, "data");
    const closed = once(socket, "close");
    await server.kill("SIGTERM");
    await closed;
    const logged = server.output.split("\n").find((text) => text.includes("were cut off"));
    expect(JSON.parse(logged ?? "{}")).toMatchObject({ connections: 1 });
  });

  it("does not wait for a client that is asleep", async () => {
    await start(LONGER_STOP_MS);
    const socket = await silentConnection([
      "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1",
      "Host: localhost",
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]);
    await once(socket, "data");
    expect(await server.kill("SIGTERM")).toBe(0);
    expect(server.output).not.toMatch(/cut off|before these had ended/);
    socket.destroy();
  });
});

/** A measured value of the server, by the end of its name. */
async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(new RegExp(`^watchfloor_${name} (\\d+)`, "m").exec(text)?.[1] ?? 0);
}
