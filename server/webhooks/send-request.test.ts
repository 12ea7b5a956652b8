import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, it } from "vitest";
import { sendRequest } from "./send-request.ts";

const answers = {
  "switches protocols": [
    "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    { error: "status", status: 101, excerpt: null },
  ],
  "closes without an answer": ["", { error: "connection", status: null, excerpt: null }],
  "closes within its answer": [
    "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegin",
    { error: null, status: 200, excerpt: "begin" },
  ],
  "does not end its answer": [
    "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegin",
    { error: null, status: 200, excerpt: "begin" },
  ],
  "says when to come again": [
    "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 120\r\nContent-Length: 0\r\n\r\n",
    { error: "status", status: 429, retryAfterMs: 120_000 },
  ],
} as const;

it.each(Object.entries(answers))("ends if the receiver %s", async (what, [answer, outcome]) => {
  const isOpen = what === "does not end its answer";
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => (isOpen ? socket.write(answer) : socket.end(answer)));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  const limits = { timeoutMs: isOpen ? 500 : 60_000, allowPrivate: true };
  expect(await sendRequest({ url, headers: {}, body: "{}", ...limits })).toMatchObject(outcome);
  server.close();
});
