import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../shared/limits.ts";
import { errorCatalogue } from "../../shared/protocol/errors.ts";
import { createAuth } from "../auth/create-auth.ts";
import { openDatabase } from "../store/database.ts";
import { apiClient } from "./testing/api-client.ts";
import { ownerCredentials, serveTests, startTestServer } from "./testing/test-server.ts";

const SESSION = "/api/v1/session";
const USERS = "/api/v1/users";
const longId = "a".repeat(121);
const mebibyte = 1_048_576;

const { server, owner } = await serveTests("empty");

const user = { email: "x@example.com", name: "X", role: "viewer" };
const json = { "content-type": "application/json" };

const cases: [string, string, string, unknown, string, number?][] = [
  ["malformed JSON", "POST", SESSION, "{", "invalid_request"],
  ["JSON that is no object", "POST", SESSION, "7", "invalid_request"],
  ["an empty body", "POST", SESSION, "", "invalid_request"],
  ["a wrong type", "POST", SESSION, { email: 7, password: "x" }, "invalid_request"],
  ["a missing part", "POST", SESSION, { email: "a@b.c" }, "invalid_request"],
  ["an unknown part", "POST", USERS, { ...user, admin: true }, "invalid_request"],
  ["a prototype", "POST", USERS, '{"__proto__":{"role":"owner"}}', "invalid_request"],
  ["an array", "POST", USERS, [user], "invalid_request"],
  ["a name that shows nothing", "POST", USERS, { ...user, name: "\u200b" }, "invalid_request"],
  ["a name that turns the line", "POST", USERS, { ...user, name: "a\u202eb" }, "invalid_request"],
  ["a name of two lines", "POST", USERS, { ...user, name: "a\nb" }, "invalid_request"],
  ["NUL in a text", "POST", USERS, { ...user, name: "a\0b" }, "invalid_request"],
  ["NUL in JSON", "POST", USERS, { ...user, attributes: { a: ["\0"] } }, "validation_failed"],
  ["a short password", "POST", USERS, { ...user, password: "short" }, "invalid_request"],
  ["a body too large", "POST", SESSION, { email: "a".repeat(mebibyte) }, "too_large"],
  ["an id that is none", "GET", `${USERS}/%00`, undefined, "not_found"],
  ["an id that is too long", "GET", `${USERS}/${longId}`, undefined, "not_found"],
  ["a broken escape", "GET", `${USERS}/%zz`, undefined, "invalid_request"],
  ["an address that is not there", "GET", "/api/v1/nothing", undefined, "not_found"],
  ["a method that is not there", "PUT", SESSION, {}, "not_found"],
  ["an API that is not there", "GET", "/api/v2/session", undefined, "not_found"],
];

describe("bad input", () => {
  it.each(cases)("%s is answered by a problem (%s %s)", async (_what, method, path, body, code) => {
    const answer = await owner.call(method, path, body, body === undefined ? {} : json);
    const entry = errorCatalogue[code as keyof typeof errorCatalogue];
    expect(answer.body).toMatchObject({
      code,
      status: entry.status,
      title: entry.message,
      type: `urn:watchfloor:problem:${code}`,
      detail: expect.any(String),
    });
    expect(answer.status).toBe(entry.status);
    expect(answer.headers.get("content-type")).toMatch(/^application\/problem\+json/);
  });

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "finds no table that is called %s, as every object has",
    async (name) => {
      const op = { op: "create", table: name, values: {} };
      const table = `{"version":0,"tables":[{"name":"${name}","label":"x","recordLabel":"x","display":"t",
        "fields":[{"name":"t","label":"t","type":"text"}],"columns":[],"sort":[]}]}`;
      const tile = { id: "t", kind: "number", title: "t", table: name, measure: { op: "count" } };
      const calls: [string, string, unknown?][] = [
        ["GET", `/tables/${name}/records`],
        ["GET", `/tables/${name}/records/x`],
        ["GET", `/tables/${name}/summary`],
        ["GET", `/tables/${name}/export.csv`],
        ["GET", `/changes?table=${name}&after=a.0`],
        ["GET", `/changes?table=${name}`],
        ["GET", `/views?table=${name}`],
        ["POST", `/tables/${name}/records`, { values: {} }],
        ["POST", "/mutations", { id: "m", ops: [op] }],
        ["POST", "/change-sets", { ops: [op] }],
        ["POST", "/roles", `{"name":"R","rights":[],"grants":{"${name}":{"read":true}}}`],
        ["POST", "/roles/preview", { table: name, grants: {} }],
        ["POST", "/webhooks", { name: "x", url: "http://x.y", table: name, events: ["created"] }],
        ["POST", "/wallboards", { name: "x", tiles: [tile], draft: true }],
        ["PUT", "/model", table],
        ["PUT", "/model?dryRun=1", table],
      ];
      for (const [method, path, body] of calls) {
        const { status } = await owner.call(method, `/api/v1${path}`, body, body ? json : {});
        expect([200, 400, 403, 404, 422], `${method} ${path}`).toContain(status);
      }
    },
  );

  it("reports where a body does not fit", async () => {
    const { body } = await owner.call("POST", USERS, { ...user, attributes: [] });
    const issues = [{ path: ["attributes"], message: expect.any(String) }];
    expect(body).toMatchObject({ in: "body", issues });
  });

  it("in another content type is not read at all", async () => {
    const headers = { "content-type": "text/plain" };
    const { body } = await owner.call("POST", USERS, JSON.stringify(user), headers);
    expect(body.code).toBe("invalid_request");
  });
});

describe("a request from another site", () => {
  const outsider = { origin: "https://elsewhere.example" };

  it.each([
    [outsider, 403],
    [{ origin: "null" }, 403],
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{ "sec-fetch-site": "same-site" }, 403],
    [{ "sec-fetch-site": "same-origin" }, 201],
    [{}, 201],
  ])("with %o is answered by %i", async (headers, status) => {
    const email = `${Math.random()}@example.com`;
    const answer = await owner.call("POST", USERS, { ...user, email }, headers as typeof outsider);
    expect(answer.status).toBe(status);
  });

  it("can't sign anybody in, but may read, which its browser will not show it", async () => {
    const guest = apiClient(server.origin);
    expect((await guest.call("POST", SESSION, ownerCredentials, outsider)).status).toBe(403);
    const { status, headers } = await owner.call("GET", SESSION, undefined, outsider);
    expect([status, headers.get("access-control-allow-origin")]).toEqual([200, null]);
  });
});

describe("answers", () => {
  it("name no software and include a strict policy and a request id that is in the log", async () => {
    const { headers } = await owner.call("GET", SESSION);
    expect(headers.get("x-powered-by")).toBeNull();
    expect(headers.get("cache-control")).toBe("no-store");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain(`ws://${new URL(server.origin).host} `);
    const id = headers.get("x-request-id") ?? "-";
    await expect.poll(() => server.log.some((line) => line.includes(id))).toBe(true);
  });

  it("to internal failures show a reference only", async () => {
    const fails = () => {
      throw new Error("secret inside");
    };
    const failing = await startTestServer(
      {},
      {
        model: Object.assign(fails, {
          ...{ refresh: fails, refreshAfterFailure: fails, onChange: fails },
        }),
      },
    );
    await failing.owner();
    const client = apiClient(failing.origin);
    const { body, headers } = await client.call("POST", SESSION, ownerCredentials);
    expect(body).toMatchObject({ status: 500, code: "internal" });
    expect(body.reference).toBe(headers.get("x-request-id"));
    expect(JSON.stringify(body)).not.toContain("secret");
    const lines = failing.log.flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
    expect(lines).toContainEqual(
      expect.objectContaining({
        reference: body.reference,
        during: "request",
        err: expect.objectContaining({ message: "secret inside" }),
      }),
    );
    await failing.close();
  });

  it("say unavailable without a database", async () => {
    const connectionString = "postgres://nobody@127.0.0.1:1/none";
    const database = openDatabase({ connectionString, poolSize: 2, onError: () => {} });
    const auth = createAuth({
      db: database.kysely,
      limits: defaultLimits,
      applyTemplate: async () => {},
    });
    const cut = await startTestServer({}, { auth });
    const { body, headers } = await apiClient(cut.origin).call("POST", SESSION, ownerCredentials);
    expect(body).toMatchObject({ status: 503, code: "unavailable" });
    expect(headers.get("retry-after")).toMatch(/^\d+$/);
    await cut.close();
    await database.close();
  });
});
