import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import express from "express";
import { expect, it } from "vitest";
import { until } from "../../e2e/harness/until.ts";
import { defaultLimits } from "../../shared/limits.ts";
import { builtInRoles } from "../../shared/policy/role.ts";
import type { Refusal } from "../../shared/protocol/errors.ts";
import { UnreadAnswers } from "../load/unread-answers.ts";
import { serviceDesk } from "../model/templates/service-desk.ts";
import { createRouter } from "./create-router.ts";
import { Reply } from "./handlers.ts";

const EXPORT = "GET /tables/{table}/export.jsonl";
const PAGE = "GET /tables/{table}/records";
const PAGE_BYTES = 8_000_000;
const CHUNK = Buffer.alloc(262_144, "x");
const STALL_MS = 4_000;

/** A server whose export is these chunks. */
async function serving(chunks: () => AsyncGenerator<Uint8Array>) {
  const identity = { subject: { id: "ida", role: builtInRoles[0], attributes: {} } };
  const handlers = {
    [PAGE]: async () => ({ records: ["x".repeat(PAGE_BYTES)] }),
    [EXPORT]: async () => new Reply(undefined, { file: { name: "t.jsonl", chunks: chunks() } }),
  };
  const limits = {
    ...defaultLimits,
    ANSWER_STALL_TIMEOUT_MS: STALL_MS,
    ANSWERS_PER_USER_BYTES: 2 * PAGE_BYTES,
  };
  const answers = new UnreadAnswers(limits);
  const router = createRouter(handlers as never, {
    connections: { authenticated: () => {} },
    answers,
    auth: { authenticate: async () => identity as never, db: {} as never, limits },
    displays: {} as never,
    rates: { take: () => {}, left: () => ({ calls: 1, seconds: 1 }) },
    config: { limits, publicUrl: undefined, trustProxy: 0 },
    model: () => serviceDesk,
  });
  const app = express().use(router);
  app.use((error: Refusal, _: unknown, response: express.Response, ___: unknown) => {
    if (response.headersSent) response.destroy();
    else response.status(error.status).end();
  });
  const server = createServer(app).listen(0, "127.0.0.1");
  answers.watch(server);
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

/** Sends a request, reads the beginning of its answer and then nothing more. */
async function stall(port: number, path: string) {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer t\r\n\r\n`);
  const [data] = (await once(socket, "data")) as [Buffer];
  socket.pause();
  return { socket, status: data.toString("latin1").slice(9, 12) };
}

it("refuses further requests of a user who does not read the answers, until these are ended", async () => {
  await using server = await serving(async function* () {});
  const path = "/tables/incidents/records";
  const first = [await stall(server.port, path), await stall(server.port, path)];
  expect(first.map(({ status }) => status)).toEqual(["200", "429"]);
  await until("the first is ended", 60_000, async () => {
    const next = await stall(server.port, path);
    next.socket.destroy();
    return next.status === "200";
  });
  for (const { socket } of first) socket.destroy();
});

it("a download whose reader stops reading is ended, and frees its place", async () => {
  const ended = Promise.withResolvers<void>();
  await using server = await serving(async function* () {
    try {
      for (;;) yield CHUNK;
    } finally {
      ended.resolve();
    }
  });
  const { socket } = await stall(server.port, "/tables/incidents/export.jsonl");
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
