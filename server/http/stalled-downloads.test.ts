import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import express from "express";
import { expect, it } from "vitest";
import { defaultLimits } from "../../shared/limits.ts";
import { builtInRoles } from "../../shared/policy/role.ts";
import { serviceDesk } from "../model/templates/service-desk.ts";
import { createRouter } from "./create-router.ts";
import { Reply } from "./handlers.ts";

const EXPORT = "GET /tables/{table}/export.jsonl";
const CHUNK = Buffer.alloc(262_144, "x");
const STALL_MS = 4_000;

/** A server whose export is these chunks. */
async function serving(chunks: () => AsyncGenerator<Uint8Array>) {
  const identity = { subject: { id: "ida", role: builtInRoles[0], attributes: {} } };
  const handlers = {
    [EXPORT]: async () => new Reply(undefined, { file: { name: "t.jsonl", chunks: chunks() } }),
  };
  const router = createRouter(handlers as never, {
    auth: { authenticate: async () => identity as never },
    displays: {} as never,
    rates: { take: () => {}, left: () => ({ calls: 1, seconds: 1 }) },
    config: {
      limits: { ...defaultLimits, DOWNLOAD_STALL_TIMEOUT_MS: STALL_MS },
      publicUrl: undefined,
      trustProxy: 0,
    },
    model: () => serviceDesk,
  });
  const app = express().use(router);
  app.use((_: unknown, __: unknown, response: express.Response, ___: unknown) => {
    response.destroy();
  });
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

it("a download whose reader stops reading is ended, and frees its place", async () => {
  const ended = Promise.withResolvers<void>();
  await using server = await serving(async function* () {
    try {
      for (;;) yield CHUNK;
    } finally {
      ended.resolve();
    }
  });
  const socket = connect(server.port, "127.0.0.1");
  socket.on("error", () => {});
  const head = [
    "GET /tables/incidents/export.jsonl HTTP/1.1",
    "Host: x",
    "Authorization: Bearer t",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  await once(socket, "data");
  socket.pause();
  await ended.promise;
  socket.destroy();
});

it("a download that waits for its source is not ended, however long that takes", async () => {
  await using server = await serving(async function* () {
    yield CHUNK;
    await sleep(1.25 * STALL_MS);
    yield CHUNK;
  });
  const answer = await fetch(`http://127.0.0.1:${server.port}/tables/incidents/export.jsonl`, {
    headers: { authorization: "Bearer t" },
  });
  expect((await answer.arrayBuffer()).byteLength).toBe(2 * CHUNK.length);
});
