import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { describe, expect, it } from "vitest";
import { addressOf } from "./address-of.ts";

/** Headers that a stranger may send, behind any proxies or none: REST and socket must count the same address. */
const forwarded = [
  undefined,
  "192.0.2.1",
  "spoofed, 192.0.2.1",
  "192.0.2.9, 192.0.2.1, 10.0.0.1",
  "127.0.0.1, 127.0.0.1",
  ", ,192.0.2.1,",
  "192.0.2.1:50123",
  "2001:db8::1",
];
const settings = [0, 1, 2, 3, "loopback", "127.0.0.1, 10.0.0.0/8"];

describe.each(settings)("behind proxies (TRUST_PROXY %s)", (trusted) => {
  it("a socket has the same address as a request, whatever the headers say", async () => {
    const app = express();
    app.set("trust proxy", trusted);
    const ofSocket = addressOf(trusted);
    app.use((request, response) => {
      response.json([request.ip ?? "", ofSocket(request as IncomingMessage)]);
    });
    const server = createServer(app).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    for (const header of forwarded) {
      const headers: Record<string, string> =
        header === undefined ? {} : { "x-forwarded-for": header };
      const answer = await fetch(`http://127.0.0.1:${port}/`, { headers });
      const [ofRequest, ofHandshake] = (await answer.json()) as [string, string];
      expect([header, ofHandshake]).toEqual([header, ofRequest]);
      if (trusted === 0) expect(ofHandshake).toBe("127.0.0.1");
    }
    await new Promise((resolve) => server.close(resolve));
  });
});
