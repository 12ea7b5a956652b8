import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { allowImportedFile, limitBodyTime } from "./body-deadline.ts";

const TIMEOUT_MS = 2_000;
const PIECES = 8;
const PIECE_EVERY_MS = TIMEOUT_MS / 4;

const server = createServer(async (request, response) => {
  allowImportedFile(request, TIMEOUT_MS);
  try {
    for await (const _ of request);
    response.end();
  } catch {
    // Its connection was ended.
  }
});

beforeAll(async () => {
  limitBodyTime(server, TIMEOUT_MS);
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends a file in pieces for twice as long as the time; returns the status, or null where the connection ends without. */
async function upload(pieceBytes: number): Promise<number | null> {
  const { port } = server.address() as AddressInfo;
  const sent = httpRequest({ port, host: "127.0.0.1", method: "POST" });
  const answered = new Promise<number | null>((resolve) => {
    sent.on("response", ({ statusCode = null }) => resolve(statusCode));
    sent.on("error", () => resolve(null));
  });
  for (let n = 0; n < PIECES && !sent.destroyed; n += 1) {
    sent.write("x".repeat(pieceBytes));
    await sleep(PIECE_EVERY_MS);
  }
  sent.end();
  return answered;
}

it("a request with an unknown expectation is refused and its connection ended, without waiting for its body", async () => {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.setEncoding("utf8").on("data", (text) => {
    answer += text;
  });
  socket.on("error", () => {});
  const ended = once(socket, "close");
  socket.write("POST / HTTP/1.1\r\nHost: a\r\nExpect: more\r\nContent-Length: 1000\r\n\r\n");
  await ended;
  expect(answer).toMatch(/^HTTP\/1\.1 417 /);
  expect(answer).toMatch(/^connection: close\r$/im);
});

it("the file of an import outlasts the time of its parts, and ends where a part takes longer", async () => {
  expect(await Promise.all([upload(1_200_000), upload(1_000)])).toEqual([200, null]);
});
