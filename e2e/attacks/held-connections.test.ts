import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ClientConnections } from "../../server/load/client-connections.ts";
import { UnreadAnswers } from "../../server/load/unread-answers.ts";
import type { BufferMeter } from "../../server/socket/buffered-bytes.ts";
import { SocketNode } from "../../server/socket/testing/socket-node.ts";
import { UserShare } from "../../server/socket/user-share.ts";
import { defaultLimits } from "../../shared/limits.ts";
import { until } from "../harness/until.ts";
import { isFullProof } from "../provision/proof-size.ts";

const BOUND = 20;
const PER_USER = 5;
/** New connections of the address with the most that replace its old ones (server/load/client-connections.ts). */
const REPLACED_PER_SECOND = 100;
/** Much more than the system's own buffers of a connection take, which may be 4 MiB: what they have taken counts as read. */
const ANSWER_BYTES = 12_000_000;
const UNREAD_BYTES = 48_000_000;
/** Longer than a slow machine takes to open eight connections. */
const STALL_MS = 5_000;
const WITHIN_MS = 60_000;
const MANY = isFullProof ? 3_000 : 100;

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

const limits = {
  STRANGERS_CONNECTIONS: BOUND,
  CONNECTIONS_PER_USER: PER_USER,
  ANSWER_STALL_TIMEOUT_MS: STALL_MS,
  ANSWERS_PER_USER_BYTES: UNREAD_BYTES,
};

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server of HTTP behind the two bounds; `x-user` authenticates, `x-address` is where a request comes from. */
async function serve(answer: (answers: UnreadAnswers) => Answer) {
  const addressOf = ({ headers }: Pick<IncomingMessage, "headers">) =>
    String(headers["x-address"] ?? "1");
  const connections = new ClientConnections(addressOf, limits);
  const answers = new UnreadAnswers(limits);
  const reply = answer(answers);
  const server = createServer((request, response) => {
    const user = request.headers["x-user"];
    if (user) connections.authenticated(request.socket, String(user));
    reply(request, response);
  });
  answers.watch(server);
  connections.watch(server);
  await listen(server);
  return (server.address() as AddressInfo).port;
}

async function listen(server: Server): Promise<void> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ended.push(() => {
    server.closeAllConnections();
    server.close();
  });
}

/** A connection that sends this and reads one piece of the answer, if there is to be one. */
async function open(port: number, sent: string, reads = true): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  ended.push(() => socket.destroy());
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(sent);
  if (reads) await Promise.race([once(socket, "data"), once(socket, "close")]);
  return socket;
}

const get = (headers: Record<string, string> = {}) =>
  `GET / HTTP/1.1\r\nhost: x\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;

/** The status of a new request, whose answer is not read further. */
async function statusOf(port: number, user: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  ended.push(() => socket.destroy());
  socket.on("error", () => undefined);
  socket.write(get({ "x-user": user }));
  const [data] = (await once(socket, "data")) as [Buffer];
  socket.pause();
  return data.toString("latin1").slice(9, 12);
}

const countOpen = (sockets: readonly Socket[]) =>
  sockets.filter(({ readyState }) => readyState === "open").length;

/** Whether a request on the connection is answered. */
async function isAnswered(socket: Socket, headers: Record<string, string>): Promise<boolean> {
  // One that was ended already says so no more.
  if (socket.closed) return false;
  socket.write(get(headers));
  const first = await Promise.race([
    once(socket, "data").then(() => true),
    once(socket, "close").then(() => false),
  ]);
  return first;
}

describe("connections of strangers", () => {
  const small = () => (_request: IncomingMessage, response: ServerResponse) => response.end("{}");

  it("are bounded in all, and the address that has the most loses its own", async () => {
    const port = await serve(small);
    const other = await open(port, get({ "x-address": "2" }));
    const user = await open(port, get({ "x-user": "Ana" }));
    const flood: Socket[] = [];
    for (let n = 0; n < MANY; n += 1) flood.push(await open(port, get()));
    expect(await isAnswered(other, { "x-address": "2" })).toBe(true);
    expect(await isAnswered(user, { "x-user": "Ana" })).toBe(true);
    expect(countOpen(flood)).toBeLessThanOrEqual(BOUND);
    await until("one more of that address is answered", WITHIN_MS, async () => {
      return isAnswered(await open(port, get()), {});
    });
  });

  it("replace those of their own address at a bounded rate: beyond, new ones are ended unread", async () => {
    const now = vi.spyOn(performance, "now").mockReturnValue(5_000);
    ended.push(() => now.mockRestore());
    let requests = 0;
    const port = await serve(() => (_request, response) => {
      requests += 1;
      response.end("{}");
    });
    for (let n = 0; n < 2 * REPLACED_PER_SECOND; n += 1) await open(port, get());
    expect(requests).toBe(BOUND + REPLACED_PER_SECOND);
    now.mockReturnValue(6_000);
    expect(await isAnswered(await open(port, get()), {})).toBe(true);
  });

  it("are bounded also with half a request, and one with a request under way is ended last", async () => {
    let underWay: ServerResponse | undefined;
    const port = await serve(() => (request, response) => {
      if (request.headers["x-wait"]) underWay = response;
      else response.end("{}");
    });
    const waiting = await open(port, get({ "x-wait": "1" }), false);
    const halves: Socket[] = [];
    for (let n = 0; n < MANY; n += 1) {
      halves.push(await open(port, `GET / HTTP/1.1\r\nx: ${"y".repeat(10_000)}`, false));
    }
    // Answered in turn: each half was accepted before.
    await open(port, get({ "x-user": "Ana" }));
    const answered = once(waiting, "data");
    underWay?.end("{}");
    await answered;
    // Of many in one second the newest are ended, not the oldest.
    const isHeld = ({ closed }: Socket) => !closed;
    await until("the others are ended", WITHIN_MS, () => halves.filter(isHeld).length <= BOUND);
  });

  it("become a user's by the first authenticated request, of whom only idle ones are ended", async () => {
    const port = await serve(small);
    const own: Socket[] = [];
    for (let n = 0; n < 3 * PER_USER; n += 1) own.push(await open(port, get({ "x-user": "Ana" })));
    expect(await isAnswered(own.at(-1) as Socket, { "x-user": "Ana" })).toBe(true);
    expect(countOpen(own)).toBeLessThanOrEqual(PER_USER);
  });
});

describe("requests of one connection", () => {
  it("are handled as they come, up to eight without an answer: of a thousand at once the others are not, and it is ended", async () => {
    const waiting: ServerResponse[] = [];
    const port = await serve(() => (_request, response) => void waiting.push(response));
    const few = await open(port, get().repeat(8), false);
    await until("they are handled", WITHIN_MS, () => waiting.length === 8);
    for (const response of waiting.splice(0)) response.end("{}");
    let answers = "";
    few.on("data", (data) => {
      answers += data;
    });
    await until("they are answered", WITHIN_MS, () => answers.match(/200 OK/g)?.length === 8);
    const many = await open(port, get().repeat(1_000), false);
    await until("it is ended", WITHIN_MS, () => many.destroyed);
    expect(waiting).toHaveLength(8);
  });
});

describe("answers that nobody reads", () => {
  const large =
    (answers: UnreadAnswers): Answer =>
    (request, response) => {
      try {
        answers.count(String(request.headers["x-user"]), response, ANSWER_BYTES, true);
        response.end(Buffer.alloc(ANSWER_BYTES));
      } catch {
        response.writeHead(429).end("{}");
      }
    };

  it("are bounded in bytes for each user, and ended when their reader takes nothing", async () => {
    const port = await serve(large);
    // At once, or the first may have ended before the last one.
    const lines = await Promise.all(Array.from({ length: 8 }, () => statusOf(port, "Ana")));
    expect(lines.sort()).toEqual(["200", "200", "200", "200", "429", "429", "429", "429"]);
    const other = await statusOf(port, "Ben");
    expect(other).toBe("200");
    await until("those of Ana are ended", WITHIN_MS, async () => {
      return (await statusOf(port, "Ana")) === "200";
    });
  });
});

describe("E5 a socket that is not authenticated", () => {
  it("is ended by a message of more than 16 KiB; one of a user may be longer", async () => {
    const node = await new SocketNode().start();
    ended.push(() => node.stop());
    const user = await node.connect(node.user("A"));
    const long = { table: "t", search: "x".repeat(50_000) };
    expect(await user.call("query", long)).toMatchObject({ ok: false });
    expect((await user.call("subscribe", { table: "t" })).ok).toBe(true);

    const line = new WebSocket(`ws://127.0.0.1:${node.port}/socket.io/?EIO=4&transport=websocket`);
    await once(line, "open");
    line.send(`40${JSON.stringify({ token: "x".repeat(20_000) })}`);
    await once(line, "close");
  });

  it("is closed with its connection, also when it reads nothing", async () => {
    const node = await new SocketNode({}, { HANDSHAKE_TIMEOUT_MS: 100 }).start();
    ended.push(() => node.stop());
    const key = Buffer.alloc(16).toString("base64");
    const upgrade = `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\n\r\n`;
    const line = await open(node.port, upgrade);
    await once(line, "close");
  });
});

describe("E5 the sockets of a user, by sessions and tokens together", () => {
  it("are bounded in number: one more is refused until another has left, others are not concerned", async () => {
    const node = await new SocketNode({}, { SOCKETS_PER_USER: 3 }).start();
    ended.push(() => node.stop());
    const token = node.user("A");
    const own = await Promise.all([1, 2, 3].map(() => node.connect(token)));
    const refusal = { code: "rate_limited", retryAfter: expect.any(Number) };
    expect(await node.client({ token }).refusal()).toMatchObject(refusal);
    await node.connect(node.user("A"));
    own[0]?.socket.disconnect();
    await until("a place is free", WITHIN_MS, async () => {
      return (await node.client({ token }).refusal()) === null;
    });
  });

  it("are not ended as idle connections of theirs", async () => {
    const node = await new SocketNode({}, { CONNECTIONS_PER_USER: 2 }).start();
    ended.push(() => node.stop());
    const token = node.user("A");
    const own = [await node.connect(token), await node.connect(token), await node.connect(token)];
    for (const client of own) {
      expect((await client.call("unsubscribe", { table: "t" })).ok).toBe(true);
    }
  });

  it("share one account of messages", async () => {
    const node = await new SocketNode({}, { SOCKET_MESSAGES_PER_SECOND: 2 }).start();
    ended.push(() => node.stop());
    const token = node.user("A");
    const own = await Promise.all([1, 2, 3].map(() => node.connect(token)));
    const answers = await Promise.all(
      own.flatMap((client) =>
        Array.from({ length: 10 }, () => client.call("unsubscribe", { table: "t" })),
      ),
    );
    expect(answers.filter(({ ok }) => ok).length).toBeLessThan(25);
    const other = await node.connect(node.user("B"));
    expect((await other.call("unsubscribe", { table: "t" })).ok).toBe(true);
  });

  it("share one account of bytes, and those that read go on", () => {
    const share = new UserShare({ ...defaultLimits, SLOW_CLIENT_BUFFER_BYTES: 1_000_000 });
    const meter = (bytes: number) => {
      const one = { read: () => bytes } as BufferMeter;
      share.add(one);
      return one;
    };
    const slow = [1, 2, 3, 4].map(() => meter(900_000));
    const reading = meter(1_000);
    expect(slow.map((one) => share.isFull(one))).toEqual([false, false, false, false]);
    const fifth = meter(900_000);
    expect(share.isFull(fifth)).toBe(true);
    expect(share.isFull(reading)).toBe(false);
    share.delete(slow[0] as BufferMeter);
    expect(share.isFull(fifth)).toBe(false);
  });
});
