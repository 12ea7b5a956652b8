import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { until } from "../../e2e/harness/until.ts";
import type { ImportReport } from "../../shared/protocol/imports.ts";
import { serveTests } from "../http/testing/test-server.ts";
import { type Database, openDatabase } from "../store/database.ts";
import { send } from "./rest-call.ts";

const { server, owner } = await serveTests("service-desk", {
  COMMIT_PATIENCE_MS: "120000",
  COMMIT_CONNECTION_TIMEOUT_MS: "150000",
  COMMIT_CALL_TIMEOUT_MS: "180000",
});
let database: Database;
beforeAll(() => {
  const connectionString = server.databaseUrl;
  database = openDatabase({ connectionString, poolSize: 1, onError: () => {} });
});
afterAll(() => database.close());

/** Node's fetch waits five minutes for an answer: here half a second, until the end of the test. */
async function impatientFetch(): Promise<Disposable> {
  await fetch(`${server.origin}/healthz`);
  const key = Symbol.for("undici.globalDispatcher.1");
  const known = globalThis as unknown as Record<symbol, object>;
  const patient = known[key] as object;
  const Agent = patient.constructor as new (options: object) => object;
  known[key] = new Agent({ headersTimeout: 500 });
  return {
    [Symbol.dispose]() {
      known[key] = patient;
    },
  };
}

/** Fails when fetch has waited for as long as it waits for any answer. */
async function unansweredFetch(): Promise<unknown> {
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const failure = await fetch(`http://127.0.0.1:${port}`).catch((error: Error) => error.cause);
  silent.closeAllConnections();
  silent.close();
  return failure;
}

describe("a call of the command line", () => {
  it("waits for an import for as long as the server works on it", async () => {
    using _ = await impatientFetch();
    const program = await database.connect();
    await program.query("begin");
    await program.query("lock table incidents in share mode");
    const answering = send(server.origin, "POST /tables/{table}/imports", {
      params: { table: "incidents" },
      file: Readable.from(["number,title\nLONG1,Long\n"]),
      token: owner.token() ?? "",
    }).then(
      async (answer) => (await answer.json()) as ImportReport,
      (error: Error) => error,
    );
    await until("the import waits", 60_000, async () => {
      const { rowCount } = await database.pool.query(
        `select from pg_stat_activity where datname = current_database()
         and application_name = 'watchfloor-writer' and wait_event_type = 'Lock'`,
      );
      return rowCount === 1;
    });
    expect(await unansweredFetch()).toMatchObject({ code: "UND_ERR_HEADERS_TIMEOUT" });
    await program.query("rollback");
    await program.end();
    expect(await answering).toMatchObject({ created: 1, failed: 0 });
  });

  it("goes on if the program was suspended, as by Ctrl Z, and the server still answers", async () => {
    let checks = 0;
    const unanswered: ServerResponse[] = [];
    const server = createServer((request, response) => {
      if (request.url !== "/healthz") return unanswered.push(response);
      checks += 1;
      return response.end("{}");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    let outcome: unknown;
    const answering = send(`http://127.0.0.1:${port}`, "DELETE /session", {}).then(
      ({ status }) => {
        outcome = status;
      },
      (error: Error) => {
        outcome = error.message;
      },
    );
    await until("it has arrived", 60_000, async () => unanswered.length === 1);
    const now = performance.now.bind(performance);
    const later = vi.spyOn(performance, "now").mockImplementation(() => now() + 60_000);
    await until("the server is checked", 60_000, async () => checks > 0 || outcome !== undefined);
    unanswered[0]?.writeHead(204).end();
    await answering;
    later.mockRestore();
    server.close();
    expect(outcome).toBe(204);
  });

  it("fails where the server ends after a file has arrived and before it answers", async () => {
    const server = createServer((request) => {
      request.resume().on("end", () => request.socket.destroy());
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as AddressInfo;
    const file = Readable.from([Buffer.from("title\none\n")]);
    const sent = { params: { table: "incidents" }, file };
    await expect(
      send(`http://127.0.0.1:${port}`, "POST /tables/{table}/imports", sent),
    ).rejects.toThrow("does not answer");
    server.close();
  });
});
