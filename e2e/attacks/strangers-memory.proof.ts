// Covers: server/socket server/load server/http
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, expect, it } from "vitest";
import { heapBytes, withInspector } from "../harness/heap-bytes.ts";
import { TestInstallation } from "../harness/test-installation.ts";

/** What all strangers together make a server hold, in the worst form that each of its bounds allows. */
const MAX_BYTES = 64 * 2 ** 20;
/** A few more than it lets stay (STRANGERS_CONNECTIONS). */
const CONNECTIONS = 1_600;
const AT_ONCE = 50;

const installation = await TestInstallation.open({
  environment: {
    ...withInspector,
    // Longer than opening them takes.
    HANDSHAKE_TIMEOUT_MS: "300000",
    PUBLIC_BODY_TIMEOUT_MS: "300000",
  },
});
afterAll(() => installation[Symbol.asyncDispose]());

const upgrade = [
  "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1",
  ...["host: x", "connection: upgrade", "upgrade: websocket", "sec-websocket-version: 13"],
  ...["sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==", "", ""],
].join("\r\n");
const post = (line: string) =>
  `POST /api/v1/session HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${line}\r\n\r\n`;
/** The head of a masked frame of 16,000 bytes. */
const head = Buffer.from([0x81, 0xfe, 0x3e, 0x80, 0, 0, 0, 0]);
const fragment = Buffer.from([0x00, 0x81, 0, 0, 0, 0, 0x78]);
const firstFragment = Buffer.from([0x01, 0x81, 0, 0, 0, 0, 0x78]);

const forms: Record<string, Buffer> = {
  "idle sockets": Buffer.from(upgrade),
  "messages that are not whole": Buffer.concat([
    Buffer.from(upgrade),
    head,
    Buffer.alloc(15_000, "x"),
  ]),
  "messages in many frames": Buffer.concat([
    Buffer.from(upgrade),
    firstFragment,
    ...Array.from({ length: 14 }, () => fragment),
  ]),
  "bodies that are not whole": Buffer.from(post("content-length: 16000") + "x".repeat(15_000)),
  "bodies in many pieces": Buffer.from(
    post("transfer-encoding: chunked") + "1\r\nx\r\n".repeat(15_000),
  ),
  "headers that are not whole": Buffer.from(
    `GET / HTTP/1.1\r\nhost: x\r\n${Array.from({ length: 500 }, (_, n) => `x-${n}: ${"y".repeat(16)}\r\n`).join("")}`,
  ),
};

it.each(Object.keys(forms))("are %s", async (form) => {
  const { server } = installation;
  const before = await heapBytes(server.output);
  const open: Socket[] = [];
  const add = async () => {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    open.push(socket.on("error", () => undefined).on("data", () => undefined));
    await Promise.race([once(socket, "connect"), once(socket, "close")]);
    socket.write(forms[form] as Buffer);
  };
  for (let n = 0; n < CONNECTIONS; n += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, add));
  }
  // Answered in turn: what came before was received.
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  const held = (await heapBytes(server.output)) - before;
  const stay = open.filter(({ readyState }) => readyState === "open").length;
  process.stdout.write(
    `strangers: ${stay} ${form}: ${(held / 2 ** 20).toFixed(1)} MiB, ${Math.round(held / stay / 1_024)} KiB each\n`,
  );
  for (const socket of open) socket.destroy();
  expect(held).toBeLessThan(MAX_BYTES);
});
