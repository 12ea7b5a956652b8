import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
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

it("the file of an import outlasts the time of its parts, and ends where a part takes longer", async () => {
  expect(await Promise.all([upload(1_200_000), upload(1_000)])).toEqual([200, null]);
});
