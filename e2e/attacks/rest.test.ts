import { type ClientRequest, request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiClient, apiClient, signedInClient } from "../../server/http/testing/api-client.ts";
import {
  ownerCredentials,
  startTestServer,
  type TestServer,
} from "../../server/http/testing/test-server.ts";
import { defaultLimits } from "../../shared/limits.ts";
import { until } from "../harness/until.ts";

const IMPORTS = "/api/v1/tables/incidents/imports";
const WITHIN_MS = 60_000;
const csv = { "content-type": "text/csv" };
const viewerCredentials = { email: "viewer@example.com", password: "a long password" };

let server: TestServer;
let owner: ApiClient;
let viewer: ApiClient;

beforeAll(async () => {
  server = await startTestServer();
  await server.owner("service-desk");
  owner = await signedInClient(server.origin, ownerCredentials);
  const user = { ...viewerCredentials, name: "Viewer", role: "viewer" };
  await owner.call("POST", "/api/v1/users", user);
  viewer = await signedInClient(server.origin, viewerCredentials);
});
afterAll(() => server.close());

const createdWith = (values: object) =>
  owner.call("POST", "/api/v1/tables/incidents/records", { values });

/** Which of two calls is answered first, when both are sent at the same time. */
async function firstAnswered(calls: Record<string, () => Promise<unknown>>): Promise<string[]> {
  const order: string[] = [];
  const running = Object.entries(calls).map(([name, call]) => call().then(() => order.push(name)));
  await Promise.all(running);
  return order;
}

describe("forged ids, places and texts of change sets", () => {
  const NUL = "%00";
  const from = "2026-01-01T00:00:00Z";
  const op = { op: "delete", table: "incidents", record: "x", version: "neither.this" };
  const calls: [string, string, object?][] = [
    ["GET", `/change-sets/${NUL}`],
    ["GET", `/change-sets?by=${NUL}`],
    ["GET", "/change-sets/SET/preview?offset=999999999999999"],
    ["POST", "/change-sets/SET/apply", { skip: [2 ** 31] }],
    ["POST", "/change-sets/SET/apply", { version: 2 ** 40 }],
    ["PATCH", "/change-sets/SET", { resolve: [{ index: 2 ** 40, field: "x", keep: "mine" }] }],
    ["PATCH", "/change-sets/SET", { replace: [{ index: 2 ** 40, op }] }],
    ["PATCH", "/change-sets/SET", { add: [{ ...op, record: "\0" }] }],
    ["POST", "/change-sets", { title: "\0" }],
    ["POST", "/change-sets", { revert: { changes: [{ table: "nowhere", seq: 1 }] } }],
    ["POST", "/change-sets", { revert: { changes: [{ table: "incidents", seq: 2 ** 53 - 1 }] } }],
    ["POST", "/change-sets", { revert: { by: "\0", from } }],
    ["POST", "/change-sets", { revert: { by: "x", from, table: "incidents", record: "\0" } }],
    ["POST", "/change-sets", { bulk: { table: "incidents", search: "\0", set: { title: "x" } } }],
    ["POST", "/change-sets", { bulk: { table: "\0", set: { title: "x" } } }],
    ["POST", "/change-sets", { bulk: { table: "incidents", set: { title: "\0" } } }],
    ["POST", "/change-sets", { bulk: { table: "incidents", transition: "\0" } }],
    ["PATCH", "/change-sets/SET/rejects", { field: "title", text: "\0", value: null, line: 2 }],
    ["GET", "/change-sets/SET/rejects?offset=999999999999999"],
    ["POST", `/change-sets/SET/import?table=${NUL}`, {}],
    ["GET", `/changes?by=${NUL}`],
    ["GET", `/changes?search=${NUL}`],
    ["GET", `/changes?changeSet=${NUL}`],
    ["GET", `/changes?table=incidents&record=${NUL}`],
    ["GET", "/changes?before=forged"],
    ["GET", `/changes?before=${NUL}`],
    ["GET", "/changes?before=99999999999999999999"],
  ];

  it("are refused or find nothing, and none is a failure of the server", async () => {
    const { body } = await owner.call("POST", "/api/v1/change-sets", { ops: [op] });
    const statuses = await Promise.all(
      calls.map(async ([method, path, sent]) => {
        const url = `/api/v1${path.replace("SET", String(body.id))}`;
        return [method, path, sent, (await owner.call(method, url, sent)).status] as const;
      }),
    );
    expect(statuses.filter(([, , , status]) => status >= 500)).toEqual([]);
    const { body: preview } = await owner.call("GET", `/api/v1/change-sets/${body.id}/preview`);
    expect(preview).toMatchObject({ counts: { error: 1 } });
  });
});

describe("text that takes long to read", () => {
  it("is refused as a date format that names a part twice", async () => {
    const query = new URLSearchParams({ dateFormat: "DD".repeat(26) });
    const body = `opened_at\n${"1".repeat(51)}x\n`;
    for (const client of [owner, viewer]) {
      const answer = await client.call("POST", `${IMPORTS}?${query}`, body, csv);
      expect(answer.body).toMatchObject({ status: 400, code: "invalid_request" });
    }
  });

  it.each([
    ["zeros within a number", { reassignments: `0.${"0".repeat(900_000)}1` }],
    ["marks of one letter", { title: "\u0301".repeat(250_000) + "\u0323".repeat(250_000) }],
  ])("takes linear time as %s", async (_title, values) => {
    const { status, body } = await createdWith({ title: "x", ...values });
    expect([status, body.code]).toEqual([422, "validation_failed"]);
  });
});

describe("files that are hard to read", () => {
  it("are not read for a user who may write nothing", async () => {
    const { body } = await viewer.call("POST", IMPORTS, "title\nx\n", csv);
    expect(body).toMatchObject({ status: 403, code: "forbidden", right: "create" });
    const keyed = await viewer.call("POST", `${IMPORTS}?key=number`, "number\nx\n", csv);
    expect(keyed.body).toMatchObject({ status: 403, code: "forbidden", right: "update" });
  });

  it("are refused at the first row with too many columns", async () => {
    const commas = ",".repeat(5_000_000);
    for (const file of [commas, `title\nx\n${commas}\n`]) {
      const { body } = await owner.call("POST", IMPORTS, file, csv);
      const limit = defaultLimits.IMPORT_MAX_COLUMNS;
      expect(body).toMatchObject({ status: 413, code: "too_large", limit, unit: "columns" });
    }
  });

  it("do not block others while they are read", async () => {
    const row = `${",".repeat(defaultLimits.IMPORT_MAX_COLUMNS - 1)}\n`;
    const file = `reassignments${",".repeat(900)}\n${row.repeat(3_000)}`;
    const order = await firstAnswered({
      import: () => owner.call("POST", `${IMPORTS}?dryRun=true`, file, csv),
      other: () => viewer.call("GET", "/api/v1/session"),
    });
    expect(order).toEqual(["other", "import"]);
  });

  it("are repeated in the answer by short excerpts only", async () => {
    const header = (length: number) => `${"h".repeat(length)}\n`;
    const wide = Array.from({ length: 900 }, (_, n) => `c${n}${"x".repeat(500)}`).join(",");
    const files = [header(1_000_000), `${wide}\n`, `title,${wide}\nx\n`, `a"${header(500_000)}`];
    for (const file of files) {
      const { body } = await owner.call("POST", `${IMPORTS}?dryRun=true`, file, csv);
      // An excerpt is in the sentence and among its values.
      expect(JSON.stringify(body).length, file.slice(0, 20)).toBeLessThan(24_000);
    }
  });
});

describe("JSON of many unknown parts", () => {
  it("is repeated in the answer by short excerpts only", async () => {
    const unknown = Object.fromEntries(
      Array.from({ length: 9_000 }, (_, n) => [`${n}`.repeat(20), 1]),
    );
    const path = "/api/v1/tables/incidents/records";
    const bodies = [
      { ...unknown, values: {} },
      { values: unknown },
      { values: { ["k".repeat(900_000)]: 1 } },
    ];
    for (const sent of bodies) {
      const { status, body } = await owner.call("POST", path, sent);
      expect(status).toBe(400);
      expect(JSON.stringify(body).length).toBeLessThan(12_000);
    }
  });
});

/** An upload that sends its header and then nothing. */
function holdImport(onStatus: (status: number) => void): ClientRequest {
  const headers = { ...csv, authorization: `Bearer ${owner.token()}`, "content-length": 1_000_000 };
  const held = httpRequest(`${server.origin}${IMPORTS}?dryRun=true`, { method: "POST", headers });
  held.on("response", (response) => {
    onStatus(response.statusCode ?? 0);
    response.resume();
  });
  held.on("error", () => undefined);
  held.write("title\n");
  return held;
}

describe("uploads that are held open", () => {
  it("beyond the limit of one user are refused at once", async () => {
    const statuses: number[] = [];
    const held = Array.from({ length: 20 }, () => holdImport((status) => statuses.push(status)));
    const refused = 20 - defaultLimits.IMPORTS_PER_USER;
    await until("the others are refused", WITHIN_MS, () => statuses.length >= refused);
    expect(statuses).toEqual(new Array(refused).fill(429));
    for (const one of held) one.destroy();
    await until("imports are taken again", WITHIN_MS, async () => {
      const repeated = await owner.call("POST", `${IMPORTS}?dryRun=true`, "title\nx\n", csv);
      return repeated.status === 200;
    });
  });
});

/** Sends the beginning of a body and no more; resolves when the server ends the connection. */
function holdBody(origin: string, path: string, headers: Record<string, string> = {}) {
  const all = { "content-type": "application/json", "content-length": 10_000, origin, ...headers };
  const held = httpRequest(origin + path, { method: "POST", headers: all });
  held.on("response", (response) => response.resume());
  const ended = new Promise<void>((resolve) => held.on("close", () => resolve()));
  held.on("error", () => undefined);
  held.write("{");
  return { ended, end: () => held.destroy() };
}

describe("bodies that are held back", () => {
  let shortTimeouts: TestServer;
  beforeAll(async () => {
    shortTimeouts = await startTestServer({
      PUBLIC_BODY_TIMEOUT_MS: "300",
      REQUEST_BODY_TIMEOUT_MS: "1500",
      IMPORT_IDLE_TIMEOUT_MS: "4000",
    });
    await shortTimeouts.owner("service-desk");
  });
  afterAll(() => shortTimeouts.close());

  it("end with their connection, whatever the path, and later if the sender is authenticated", async () => {
    const { token } = await signedInClient(shortTimeouts.origin, ownerCredentials);
    const known = { authorization: `Bearer ${token()}` };
    const order: string[] = [];
    const hold = async (name: string, path: string, headers?: Record<string, string>) => {
      await holdBody(shortTimeouts.origin, path, headers).ended;
      order.push(name);
    };
    await Promise.all([
      hold("stranger", "/api/v1/session"),
      hold("stranger", "/api/v1/mutations"),
      hold("stranger", "/nothing/here"),
      hold("stranger", "/assets/x.js"),
      hold("known", "/api/v1/mutations", known),
    ]);
    expect(order).toEqual(["stranger", "stranger", "stranger", "stranger", "known"]);
  });

  it("of files are aborted when nothing arrives, with an answer", async () => {
    const { token } = await signedInClient(shortTimeouts.origin, ownerCredentials);
    const headers = { ...csv, authorization: `Bearer ${token()}`, "content-length": 1_000_000 };
    const held = httpRequest(shortTimeouts.origin + IMPORTS, { method: "POST", headers });
    held.on("error", () => undefined);
    held.write("title\n");
    const status = await new Promise((resolve) =>
      held.on("response", (r) => resolve(r.statusCode)),
    );
    expect(status).toBe(400);
    held.destroy();
  });

  it.each([
    ["of a known length", { "content-length": "1000000" }],
    ["in chunks", { "transfer-encoding": "chunked" }],
  ])("%s are bounded in bytes for each user, until they end", async (_title, length) => {
    const headers = { ...length, authorization: `Bearer ${owner.token()}` };
    const statuses: (number | undefined)[] = [];
    const sent = Array.from({ length: 20 }, () => {
      const held = httpRequest(`${server.origin}/api/v1/mutations`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
      });
      held.on("error", () => undefined);
      held.on("response", ({ statusCode }) => statuses.push(statusCode));
      held.write("{");
      return held;
    });
    await until("the others are refused", WITHIN_MS, () => statuses.length >= 4);
    const body = { id: "m1", ops: [], padding: "x".repeat(900_000) };
    const send = async (by: ApiClient) => (await by.call("POST", "/api/v1/mutations", body)).status;
    expect([await send(owner), await send(viewer)]).toEqual([429, 400]);
    expect(statuses).toEqual([429, 429, 429, 429]);
    for (const held of sent) held.destroy();
    await until("they have ended", WITHIN_MS, async () => (await send(owner)) === 400);
  });

  it("are small where no session is needed", async () => {
    const sent = { email: "a@example.com", password: "x".repeat(16_384) };
    const { body } = await apiClient(shortTimeouts.origin).call("POST", "/api/v1/session", sent);
    const limit = defaultLimits.PUBLIC_BODY_MAX_BYTES;
    expect(body).toMatchObject({ status: 413, code: "too_large", limit });
  });
});
