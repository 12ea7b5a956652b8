import { io, type Socket } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorCatalogue } from "../../shared/protocol/errors.ts";
import { PROTOCOL_VERSION } from "../../shared/protocol/socket.ts";
import { heapBytes, withInspector } from "../harness/heap-bytes.ts";
import type { ServerProcess } from "../harness/server-process.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { addUser, type TestUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { proofSize } from "../provision/proof-size.ts";
import { runSeed } from "../provision/test-seed.ts";
import { type OddMessage, oddMessages } from "./testing/odd-messages.ts";
import { type Frame, RawConnection } from "./testing/raw-connection.ts";

const MESSAGES = proofSize(1_000, 10_000);
const WARM_UP = MESSAGES / 4;
const AT_ONCE = 10;
const MAX_ATTEMPTS = 5;
const ANSWERED_WITHIN_MS = 60_000;
/** The permitted growth of the live heap per message: statements and shapes seen for the first time, no leak. */
const GROWTH_MAX_BYTES = proofSize(4_096, 1_024);
/** Traces, statements, places in the code: none of this may be revealed. */
const inside =
  /node_modules|\bat .+:\d+:\d+|\.ts\b|\bpg_|watchfloor\.\w|syntax error|column "|relation "|constraint "/;

type Answer = { ok: boolean; error?: { code: string; message: string } };

describe("whatever is sent to the socket", () => {
  let installation: TestInstallation<ServerProcess>;
  let user: TestUser;
  beforeAll(async () => {
    const environment = { SOCKET_MESSAGES_PER_SECOND: "100000", ...withInspector };
    installation = await TestInstallation.open({ environment });
    user = await addUser(installation.server.url, installation.ownerUser, "Mallory");
  });
  afterAll(() => installation[Symbol.asyncDispose]());

  async function connect(): Promise<Socket> {
    const auth = { protocol: PROTOCOL_VERSION, token: user.token };
    const options = { auth, transports: ["websocket"], reconnection: false, forceNew: true };
    const socket = io(installation.server.url, options);
    await until("the socket is connected", ANSWERED_WITHIN_MS, () => socket.connected);
    return socket;
  }

  async function sendMessage(
    socket: Socket,
    { event, args, expectsAnswer }: OddMessage,
  ): Promise<Answer | null> {
    if (!expectsAnswer) {
      socket.emit(event, ...args);
      return null;
    }
    // While a machine stalls for seconds, a commit may be refused as `unavailable`: clients send it again.
    for (let attempt = 1; ; attempt += 1) {
      const answer: Answer = await socket.timeout(ANSWERED_WITHIN_MS).emitWithAck(event, ...args);
      if (attempt === MAX_ATTEMPTS || !codesOf(answer).includes("unavailable")) return answer;
    }
  }

  async function sendAll(socket: Socket, messages: readonly OddMessage[]): Promise<Set<string>> {
    const codes = new Set<string>();
    for (let start = 0; start < messages.length; start += AT_ONCE) {
      const some = messages.slice(start, start + AT_ONCE);
      const answers = await Promise.all(some.map((message) => sendMessage(socket, message)));
      for (const [index, answer] of answers.entries()) {
        const bad = answer && badness(answer);
        if (bad) throw new Error(`${bad}: ${JSON.stringify([some[index], answer])}`);
        for (const code of answer ? codesOf(answer) : []) codes.add(code);
      }
    }
    return codes;
  }

  it(`is answered from the catalogue, ${MESSAGES} times, in flat memory`, async () => {
    const socket = await connect();
    const messages = oddMessages(MESSAGES, runSeed);
    const first = await sendAll(socket, messages.slice(0, WARM_UP));
    const before = await heapBytes(installation.server.output);
    const codes = await sendAll(socket, messages.slice(WARM_UP));
    const grown = (await heapBytes(installation.server.output)) - before;
    expect(grown / (MESSAGES - WARM_UP)).toBeLessThan(GROWTH_MAX_BYTES);
    // They come as far as the tables and records: a decoder that refused them all would show nothing.
    const all = new Set([...first, ...codes]);
    for (const code of ["invalid_request", "not_found"]) expect(all).toContain(code);
    expect(all.size).toBeGreaterThan(3);
    expect(socket.connected).toBe(true);
    socket.disconnect();
  });

  it.each([
    ["values nested beyond reason", () => `"mutate",${mutationOf(`{"title":${nested(40_000)}}`)}`],
    ["values nested rather deeply", () => `"mutate",${mutationOf(`{"title":${nested(500)}}`)}`],
    [
      "a filter nested beyond reason",
      () => `"query",{"table":"incidents","filter":${nots(20_000)}}`,
    ],
    ["a filter nested rather deeply", () => `"query",{"table":"incidents","filter":${nots(500)}}`],
    ["very many values", () => `"mutate",${mutationOf(JSON.stringify(manyValues()))}`],
  ])("is refused when it is %s", async (_what, message) => {
    using line = await RawConnection.open(installation.server.port);
    line.send(RawConnection.hello(user.token));
    await line.receive("40");
    line.send(`421[${message()}]`);
    const [answer] = JSON.parse((await line.receive("431")).slice(3)) as [Answer];
    expect(badness(answer)).toBe(null);
    expect(codesOf(answer)).not.toContain("ok");
  });

  it("is refused by REST as well when it is nested beyond reason", async () => {
    const answer = await fetch(`${installation.server.url}/api/v1/mutations`, {
      method: "POST",
      headers: { authorization: `Bearer ${user.token}`, "content-type": "application/json" },
      body: mutationOf(`{"title":${nested(40_000)}}`),
    });
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: "invalid_request" }]);
  });

  it("is refused when it is too many ops", async () => {
    const socket = await connect();
    const ops = range(5_000).map(() => ({ op: "create", table: "incidents", values: {} }));
    const mutate = { event: "mutate", args: [{ id: "many", ops }], expectsAnswer: true };
    expect(await sendAll(socket, [mutate])).toEqual(new Set(["too_large"]));
    socket.disconnect();
  });

  it("ends the connection that sends too much at once, and no other", async () => {
    const [bad, good] = [await connect(), await connect()];
    bad.emit("query", { table: "incidents", search: "x".repeat(2_000_000) });
    await until("it is disconnected", ANSWERED_WITHIN_MS, () => !bad.connected);
    const query = { event: "query", args: [{ table: "incidents" }], expectsAnswer: true };
    expect(await sendAll(good, [query])).toEqual(new Set(["ok"]));
    good.disconnect();
  });

  it("may be no packet at all: the process and the others continue", async () => {
    const good = await connect();
    for (const frames of oddFrames(user.token)) {
      using line = await RawConnection.open(installation.server.port);
      for (const frame of frames) line.send(frame);
      await line.whileOpen();
    }
    const query = { event: "query", args: [{ table: "incidents" }], expectsAnswer: true };
    expect(await sendAll(good, [query])).toEqual(new Set(["ok"]));
    expect(installation.server.pid).toBeGreaterThan(0);
    good.disconnect();
  });
});

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function nested(depth: number): string {
  return `${"[".repeat(depth)}1${"]".repeat(depth)}`;
}

function nots(depth: number): string {
  return `${'{"not":'.repeat(depth)}{"field":"title","op":"eq","value":"x"}${"}".repeat(depth)}`;
}

function mutationOf(values: string): string {
  return `{"id":"${Math.random()}","ops":[{"op":"create","table":"incidents","values":${values}}]}`;
}

function manyValues(): Record<string, number> {
  return Object.fromEntries(range(20_000).map((n) => [`f${n}`, n]));
}

/** The codes of an answer and of each of its results. */
function codesOf(answer: Answer & { results?: Answer[] }): string[] {
  const parts = answer.results ?? [answer];
  return parts.map(({ ok, error }) => (ok ? "ok" : (error?.code ?? "none")));
}

/** What is wrong with an answer; null if nothing. */
function badness(answer: Answer): string | null {
  for (const code of codesOf(answer)) {
    if (code === "internal" || code === "unavailable") return "not foreseen";
    if (code !== "ok" && !Object.hasOwn(errorCatalogue, code)) return "not in the catalogue";
  }
  const report = JSON.stringify(answer.error ?? codesOf(answer));
  return inside.test(report) ? "reveals internals" : null;
}

/** What only looks like Socket.IO: other versions, broken packets, bytes that were never announced. */
function oddFrames(token: string): Frame[][] {
  const open = RawConnection.hello(token);
  return [
    ["40"],
    ["40{}"],
    [`40${JSON.stringify({ protocol: 99 })}`],
    [RawConnection.hello({ toString: 1 })],
    ["40/other,{}"],
    ["garbage", "9", "", "4", "42", '42["query"'],
    [open, "42[]", "42[1]", '42["query",'],
    [open, '42["subscribe",{"table":"incidents"}]', '420["subscribe",{"table":"incidents"}]', "41"],
    [open, '451-["query",{"_placeholder":true,"num":7}]', new Uint8Array([1, 2, 3])],
    [open, '4599999-["query"]', new Uint8Array(10)],
    [open, '420["connect",1]', '420["disconnect",1]', '420["error",1]', '430[{"ok":true}]'],
    [open, new Uint8Array([0, 255, 254]), '42["__proto__",{"toString":1}]'],
  ];
}
