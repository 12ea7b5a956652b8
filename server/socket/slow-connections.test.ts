import { once } from "node:events";
import { connect, type Socket as TcpSocket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { until } from "../relay/testing/bus-contract.ts";
import { BufferMeter } from "./buffered-bytes.ts";
import { wallboardNotice } from "./notices.ts";
import { broadcasterOf } from "./open-sockets.ts";
import { SocketNode } from "./testing/socket-node.ts";
import type { TestClient } from "./testing/test-client.ts";

const BOUND_BYTES = 200_000;
let node: SocketNode;
beforeEach(async () => {
  node = await new SocketNode({}, { SLOW_CLIENT_BUFFER_BYTES: BOUND_BYTES }).start();
});
afterEach(() => node.stop());

/** The client's own TCP socket, which can be paused. */
function lineOf({ socket }: TestClient): TcpSocket {
  const engine = socket.io.engine as unknown as { transport: { ws: { _socket: TcpSocket } } };
  return engine.transport.ws._socket;
}

async function following(): Promise<TestClient> {
  const client = await node.connect(node.user("A"));
  await client.call("subscribe", { table: "t" });
  return client;
}

/** As the server counts it: by this it decides who is slow. */
function bufferedInAll(): number {
  const sockets = [...node.sockets.sockets.sockets.values()];
  return sockets.reduce((bytes, socket) => bytes + new BufferMeter(socket).read(), 0);
}

describe("S5 a connection that does not read has to catch up", () => {
  test("its buffer stays bounded, others continue, and it catches up when it reads again", async () => {
    const [slow, quick] = [await following(), await following()];
    lineOf(slow).pause();
    const title = "x".repeat(50_000);
    let written = 0;
    const write = async () => {
      node.world.log.write("t", `r${written % 5}`, { title: title + written, group: "A" });
      written += 1;
      await node.world.publish();
      await sleep(2);
    };
    // The operating system takes an unknown part first.
    while (bufferedInAll() <= BOUND_BYTES) await write();
    for (let more = 0; more < 100; more += 1) await write();
    await until(() => (quick.all("changes").at(-1)?.to as number) === written);
    expect(bufferedInAll()).toBeLessThan(BOUND_BYTES * 3);
    expect(slow.all("resync")).toEqual([]);
    lineOf(slow).resume();
    expect(await slow.next("resync")).toEqual({ table: "t", reason: "slow" });
    const answer = await slow.call("subscribe", { table: "t" });
    expect(answer).toMatchObject({ ok: true, seq: written });
    node.world.log.write("t", "last", { title: "after", group: "A" });
    await node.world.publish();
    await until(() => slow.all("changes").at(-1)?.to === written + 1);
    expect(slow.all("changes").at(-1)).toMatchObject({ from: written });
  });
});

describe("a connection that has not read everything", () => {
  const notify = (wallboard: string) =>
    node.served.notify(wallboardNotice({ wallboard, version: 1, published: 1, removed: false }));

  test("reads an answer of any size, and the events after it", async () => {
    const values = { title: "x".repeat(BOUND_BYTES * 200) };
    const page = { records: [{ id: "r", version: "e1.0", values }], total: 1, totalExact: true };
    await node.stop();
    node = await new SocketNode(
      { readPage: async () => ({ ...page, seq: 0, epoch: "e1" }) },
      { SLOW_CLIENT_BUFFER_BYTES: BOUND_BYTES },
    ).start();
    const client = await node.connect(node.user("A"));
    lineOf(client).pause();
    const [socket] = node.sockets.sockets.sockets.values();
    const meter = new BufferMeter(socket as never);
    // The operating system takes an unknown part first, but not as much as one of these answers. Less must not be
    // left of it than the loop waits for: nothing more is read while the buffer is full.
    const answers: ReturnType<typeof client.call>[] = [];
    while (meter.read() <= BOUND_BYTES * 4) {
      answers.push(client.call("query", { table: "t" }));
      await sleep(20);
    }
    notify("b1");
    lineOf(client).resume();
    expect((await answers[0])?.ok).toBe(true);
    expect(await client.next("notice")).toMatchObject({ wallboard: "b1" });
    expect(client.ended).toBeNull();
  });

  test("is closed when too many events are waiting for it", async () => {
    const client = await node.connect(node.user("A"));
    lineOf(client).pause();
    for (let n = 0; n < 1_000 && node.served.count() > 0; n += 1) {
      notify("x".repeat(BOUND_BYTES / 4));
      await sleep(1);
    }
    await until(() => node.served.count() === 0);
  });
});

describe("S8 a frame is encoded once for a scope", () => {
  test("however many sockets follow it", async () => {
    for (let n = 0; n < 5; n += 1) await following();
    let encoded = 0;
    const counting = { toJSON: () => `encoded ${++encoded} times` };
    for (const { name } of node.fanOut.groups("t")) {
      broadcasterOf(node.sockets).toRoom(name, "presence", counting as never);
    }
    const received = new Set<string>();
    for (const client of node.clients) {
      await until(() => typeof client.all("presence").at(-1) === "string");
      received.add(String(client.all("presence").at(-1)));
    }
    expect([...received]).toEqual([`encoded ${encoded} times`]);
  });
});

describe("E8 bytes that are no protocol end their own connection at most", () => {
  test.each([
    ["nonsense", "\u0000\u0001nonsense\r\n\r\n"],
    ["half a handshake", "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: a\r\n"],
    [
      "an unknown session",
      "GET /socket.io/?EIO=4&transport=polling&sid=x HTTP/1.1\r\nHost: a\r\n\r\n",
    ],
  ])("%s", async (_title, bytes) => {
    const client = await following();
    const raw = connect(node.port, "127.0.0.1");
    raw.on("error", () => {});
    await once(raw, "connect");
    raw.write(bytes);
    await sleep(20);
    raw.destroy();
    expect((await client.call("unsubscribe", { table: "t" })).ok).toBe(true);
  });

  test.each(["/elsewhere", "/socket.io/?EIO=9&transport=none"])(
    "a reset in the middle of an upgrade to %s does not end the server",
    async (path) => {
      const client = await following();
      const raw = connect(node.port, "127.0.0.1");
      await once(raw, "connect");
      const upgrade = "Host: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
      const heard = once(node.server, "upgrade");
      raw.write(`GET ${path} HTTP/1.1\r\n${upgrade}`);
      const [, line] = await heard;
      raw.resetAndDestroy();
      // an unhandled 'error' event would fail this run, as it would end the server
      await until(() => line.closed);
      expect((await client.call("unsubscribe", { table: "t" })).ok).toBe(true);
    },
  );

  test("a client that reports failures does not fill the log", async () => {
    const client = await following();
    client.socket.emit("error", { what: "nonsense" });
    client.socket.emit("error");
    expect((await client.call("unsubscribe", { table: "t" })).ok).toBe(true);
    expect(node.warnings).toEqual([]);
  });

  test("frames that are no messages of the protocol", async () => {
    const client = await following();
    for (const frame of [
      "4",
      "49",
      '42["subscribe"',
      '451-["x",{"_placeholder":true}]',
      "43999[1]",
      '42["disconnect"]',
      '42[{"a":1}]',
    ]) {
      const raw = new WebSocket(`ws://127.0.0.1:${node.port}/socket.io/?EIO=4&transport=websocket`);
      await once(raw, "open");
      raw.send(`40${JSON.stringify({ protocol: 1, token: node.user("A") })}`);
      raw.send(frame);
      await sleep(10);
      raw.close();
    }
    expect((await client.call("unsubscribe", { table: "t" })).ok).toBe(true);
    expect(node.errors).toEqual([]);
  });
});

describe("E5 unauthenticated connections", () => {
  test("are bounded: the oldest beyond it are ended, and authenticated ones do not count", async () => {
    await node.stop();
    node = await new SocketNode({}, { STRANGERS_CONNECTIONS: 2 }).start();
    const known = [await following(), await following(), await following()];
    const [first, second, third] = [await silent(), await silent(), await silent()];
    await until(() => first.readyState === WebSocket.CLOSED);
    expect([second.readyState, third.readyState]).toEqual([WebSocket.OPEN, WebSocket.OPEN]);
    expect(await node.client({ token: node.user("A") }).refusal()).toBeNull();
    expect(known.map(({ ended }) => ended)).toEqual([null, null, null]);
    second.close();
    third.close();
  });
});

/** A connection that is opened and sends nothing. */
async function silent(): Promise<WebSocket> {
  const address = `${node.url.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket`;
  const line = new WebSocket(address);
  await once(line, "open");
  return line;
}
