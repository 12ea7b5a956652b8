import { type EventEmitter, once } from "node:events";
import { connect, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { Line } from "../../server/socket/line.ts";
import { SocketNode } from "../../server/socket/testing/socket-node.ts";
import { PROTOCOL_VERSION } from "../../shared/protocol/socket.ts";
import { until } from "../harness/until.ts";

/** Messages by the thousand, in a thousand parts, or never whole: what they cost counts, and not their bytes alone. */
const WITHIN_MS = 60_000;
const HANDSHAKE =
  "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
const [CONTINUED, TEXT, FINAL] = [0x0, 0x1, 0x80];
/** A pong of Engine.IO, which is no call. */
const PONG = "3";
const CALL = '427["unsubscribe",{"table":"t"}]';

let node: SocketNode;
const open: Socket[] = [];
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await node.stop();
});

/** A frame whose mask is 0; `announced` where more is announced than comes. */
function frame(text: string, kind = FINAL | TEXT, announced = text.length): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(announced));
  const head =
    announced < 126
      ? [kind, 0x80 | announced]
      : announced < 65_536
        ? [kind, 0xfe, ...length.subarray(6)]
        : [kind, 0xff, ...length];
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), Buffer.from(text)]);
}

/** A message in so many frames of one byte, without its end. */
const inFrames = (count: number) =>
  Buffer.concat(Array.from({ length: count }, (_, at) => frame("4", at === 0 ? TEXT : CONTINUED)));

/** A WebSocket without any library, of a stranger or of a user. */
async function openLine(token?: string): Promise<Socket> {
  const socket = connect(node.port, "127.0.0.1");
  open.push(socket.on("error", () => undefined));
  socket.write(HANDSHAKE);
  await once(socket, "data");
  if (token !== undefined) {
    const { size } = node.sockets.sockets.sockets;
    socket.write(frame(`40${JSON.stringify({ protocol: PROTOCOL_VERSION, token })}`));
    await until("it is connected", WITHIN_MS, () => node.sockets.sockets.sockets.size > size);
  }
  socket.resume();
  return socket;
}

const isEnded = (socket: Socket) =>
  until("it is ended", WITHIN_MS, () => socket.destroyed || socket.readyState !== "open");

/** Waits for the answer to a call, which comes in these frames. */
async function call(socket: Socket, frames: readonly Buffer[] = [frame(CALL)]): Promise<void> {
  let answer = "";
  const listen = (data: Buffer) => {
    answer += data;
  };
  socket.on("data", listen);
  socket.write(Buffer.concat(frames));
  await until("it is answered", WITHIN_MS, () => answer.includes(`437[{"ok":true`));
  socket.off("data", listen);
}

describe("E5 a socket that is not authenticated", () => {
  it("is ended by a message in many frames", async () => {
    node = await new SocketNode().start();
    const line = await openLine();
    line.write(inFrames(100));
    await isEnded(line);
  });

  it("is ended by many messages, and those that were received are not handled", async () => {
    node = await new SocketNode().start();
    let handled = 0;
    node.sockets.engine.on("connection", ({ transport }: { transport: EventEmitter }) => {
      transport.on("packet", () => {
        handled += 1;
      });
    });
    const line = await openLine();
    line.write(Buffer.concat(Array.from({ length: 5_000 }, () => frame(PONG))));
    await isEnded(line);
    for (let turn = 0; turn < 100; turn += 1) await nextTurn();
    expect(handled).toBeLessThan(50);
  });
});

describe("a user's socket", () => {
  it("has one of its messages handled in a turn of the event loop, so that others take turns with it", async () => {
    node = await new SocketNode().start();
    const line = await openLine(node.user("A"));
    await call(line);
    const [socket] = node.sockets.sockets.sockets.values();
    let [turns, packets] = [0, 0];
    socket?.conn.on("packet", () => {
      packets += 1;
    });
    line.write(Buffer.concat(Array.from({ length: 2_000 }, () => frame(PONG))));
    while (packets < 2_000) {
      await nextTurn();
      turns += 1;
    }
    expect(turns).toBeGreaterThan(1_000);
  });

  it("has a message that comes alone handled as it arrives, so that an edit waits for no turn", async () => {
    node = await new SocketNode().start();
    const line = await openLine(node.user("A"));
    await call(line);
    const [socket] = node.sockets.sockets.sockets.values();
    const handled: number[] = [];
    let packets = 0;
    socket?.conn.on("packet", () => {
      packets += 1;
    });
    const raw = (socket?.conn as unknown as Line | undefined)?.transport.socket?._socket;
    raw?.on("data", () => handled.push(packets));
    line.write(frame(PONG));
    await until("it has arrived", WITHIN_MS, () => handled.length > 0);
    expect(handled).toEqual([1]);
  });

  it("may send a message in as many frames as a browser does, and is ended by one in many more", async () => {
    node = await new SocketNode().start();
    const line = await openLine(node.user("A"));
    const letters = [...CALL].map((letter, at) => frame(letter, at === 0 ? TEXT : CONTINUED));
    await call(line, [...letters, frame(" ", FINAL | CONTINUED)]);
    line.write(inFrames(1_000));
    await isEnded(line);
  });

  it("may receive as much of a message as the sockets of its user together; others are not concerned", async () => {
    const limits = { SLOW_CLIENT_BUFFER_BYTES: 200_000, REQUEST_BODY_MAX_BYTES: 1_000_000 };
    node = await new SocketNode({}, limits).start();
    const token = node.user("A");
    const half = frame("x".repeat(300_000), FINAL | TEXT, 900_000);
    const own = [await openLine(token), await openLine(token), await openLine(token)];
    for (const line of own) line.write(half);
    await until("one is ended", WITHIN_MS, () => own.some(({ destroyed }) => destroyed));
    expect(own.filter(({ destroyed }) => destroyed)).toHaveLength(1);
    const other = await node.connect(node.user("B"));
    expect((await other.call("unsubscribe", { table: "t" })).ok).toBe(true);
  });
});

describe("a polling connection of a user", () => {
  it("is ended by a body of many thousand messages", async () => {
    node = await new SocketNode().start();
    const url = `${node.url}/socket.io/?EIO=4&transport=polling`;
    const opened = await (await fetch(url)).text();
    const own = `${url}&sid=${JSON.parse(opened.slice(1)).sid}`;
    const send = (body: string) => fetch(own, { method: "POST", body });
    await send(`40${JSON.stringify({ protocol: PROTOCOL_VERSION, token: node.user("A") })}`);
    await until("it is connected", WITHIN_MS, () => node.sockets.sockets.sockets.size === 1);
    expect((await send(Array(500).fill(PONG).join("\x1e"))).status).toBe(200);
    await send(Array(20_000).fill(PONG).join("\x1e")).catch(() => undefined);
    await until("it is ended", WITHIN_MS, () => node.sockets.sockets.sockets.size === 0);
  });
});
