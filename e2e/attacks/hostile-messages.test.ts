import { once } from "node:events";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROTOCOL_VERSION } from "../../shared/protocol/socket.ts";
import type { ServerProcess } from "../harness/server-process.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { addUser, type TestUser } from "../harness/test-user.ts";

/** A small heap: what an operator gives to a server is larger. */
const HEAP_MB = 256;
const MANY = 100_000;
const BODY_BYTES = 1_000_000;

let installation: TestInstallation<ServerProcess>;
let server: ServerProcess;
/** A user whose role grants nothing. */
let nobody: TestUser;

beforeAll(async () => {
  const environment = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` };
  installation = await TestInstallation.open({ environment });
  ({ server } = installation);
  nobody = await addUser(server.url, installation.ownerUser, "Nobody", "display");
});
afterAll(() => installation[Symbol.asyncDispose]());

/** An open connection that speaks Socket.IO by hand, and answers pings; authenticated, unless `token` is missing. */
async function openLine(token?: string): Promise<WebSocket> {
  const line = new WebSocket(`${server.url}/socket.io/?EIO=4&transport=websocket`);
  const packets: string[] = [];
  line.addEventListener("message", ({ data }) => {
    packets.push(String(data));
    if (data === "2") line.send("3");
  });
  await once(line, "open");
  if (token === undefined) return line;
  line.send(`40${JSON.stringify({ protocol: PROTOCOL_VERSION, token })}`);
  while (!packets.some((packet) => packet.startsWith("40"))) await once(line, "message");
  return line;
}

/** Calls by the socket and waits for the answer. */
async function ask(line: WebSocket): Promise<string> {
  line.send('427["unsubscribe",{"table":"incidents"}]');
  for (;;) {
    const [{ data }] = (await once(line, "message")) as [MessageEvent];
    if (String(data).startsWith("437")) return String(data);
  }
}

const ones = new Array(MANY).fill(1).join();
const packets: Record<string, (string | Uint8Array<ArrayBuffer>)[]> = {
  "an event": [`420["x",${ones}]`],
  "an event without an acknowledgement": [`42["mutate",${ones}]`],
  "an acknowledgement": [`430[${ones}]`],
  "an event with bytes": [`451-0["x",{"_placeholder":true,"num":0},${ones}]`, new Uint8Array(1)],
  "an acknowledgement with bytes": [
    `461-0[{"_placeholder":true,"num":0},${ones}]`,
    new Uint8Array(1),
  ],
  "an event of another namespace": [`42/other,0["x",${ones}]`],
};

describe("a message with 100,000 arguments", () => {
  it.each(Object.entries(packets))(
    "ends its own connection and no other, as %s, before and after authentication",
    async (_what, sent) => {
      const other = await openLine(nobody.token);
      for (const token of [nobody.token, undefined]) {
        const line = await openLine(token);
        const closed = once(line, "close");
        for (const packet of sent) line.send(packet);
        await closed;
      }
      expect(await ask(other)).toBe('437[{"ok":true}]');
      other.close();
    },
  );
});

const filled = (element: string) =>
  `[${new Array(Math.floor(BODY_BYTES / (element.length + 1))).fill(element).join()}]`;
const tree = (depth: number): string =>
  depth === 0
    ? "1"
    : `{"and":[${tree(depth - 1)}],"or":[${tree(depth - 1)}],"not":${tree(depth - 1)}}`;

/** Bodies of 1 MB in which every element is wrong. */
const bodies: [method: string, path: string, body: string][] = [
  ["POST", "/mutations", `{"id":"m","ops":${filled("{}")}}`],
  ["POST", "/mutations", `{"id":"m","ops":${filled("1")}}`],
  ["POST", "/change-sets", `{"ops":${filled("{}")}}`],
  ["POST", "/change-sets", `{"bulk":{"table":"x","set":{},"filter":${tree(9)}}}`],
  ["PUT", "/model", `{"version":1,"tables":${filled("{}")}}`],
  ["POST", "/roles", `{"name":"x","rights":[],"grants":${filled("{}")}}`],
  ["POST", "/tables/incidents/records", `{"values":${filled("1")}}`],
];

async function send(path: string, body: string, method = "POST"): Promise<number> {
  const answer = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${nobody.token}`, "content-type": "application/json" },
    body,
  });
  await answer.arrayBuffer();
  return answer.status;
}

describe("a body in which every element is wrong", () => {
  it("costs about as much as a valid one of its size", async () => {
    const text = `{"id":"m","ops":[],"padding":"${"x".repeat(BODY_BYTES)}"}`;
    const timeOf = async (call: () => Promise<number>) => {
      const start = performance.now();
      expect(await call()).toBeGreaterThanOrEqual(400);
      return performance.now() - start;
    };
    for (const [method, path, body] of bodies) {
      const ratios: number[] = [];
      for (let n = 0; n < 7; n += 1) {
        const usual = await timeOf(() => send("/mutations", text));
        ratios.push((await timeOf(() => send(path, body, method))) / usual);
      }
      ratios.sort((a, b) => a - b);
      // 40 to 1,500 times as much where every fault is described; at most 5 where checking ends.
      expect(ratios[3], `${method} ${path}`).toBeLessThan(20);
    }
  });

  it("does not exhaust the memory of a server, 10 at a time", async () => {
    for (const [method, path, body] of bodies) {
      const statuses = await Promise.all(
        Array.from({ length: 10 }, () => send(path, body, method)),
      );
      expect(statuses.filter((status) => status < 400 || status >= 500)).toEqual([]);
    }
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });

  it("lets others' edits come in between, however many there are", async () => {
    const [method, path, body] = bodies[0] as (typeof bodies)[number];
    let answered = 0;
    // As many as one user may have in memory.
    const flood = Array.from({ length: 15 }, () =>
      send(path, body, method).then(() => {
        answered += 1;
      }),
    );
    await Promise.race(flood);
    for (let n = 0; n < 2; n += 1) {
      const values = { title: `Beside ${n}` };
      await installation.ownerUser.call("POST", "/tables/incidents/records", { values });
    }
    expect(answered).toBeLessThan(flood.length);
    await Promise.all(flood);
  });

  it.each([
    ["PUT", "/model", 403],
    ["POST", "/roles", 403],
    ["POST", "/tables/incidents/records", 404],
    ["PATCH", "/tables/incidents/records/x", 404],
  ])("is never read of a user without the right: %s %s", async (method, path, status) => {
    const held = request(`${server.url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${nobody.token}`,
        "content-type": "application/json",
        "content-length": BODY_BYTES,
      },
    });
    held.on("error", () => undefined);
    held.write("{");
    const [answer] = (await once(held, "response")) as [{ statusCode: number }];
    expect(answer.statusCode).toBe(status);
    held.destroy();
  });
});
