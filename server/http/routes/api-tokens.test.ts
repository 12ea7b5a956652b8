import { describe, expect, it } from "vitest";
import { endlessWindow } from "../../../e2e/harness/test-config.ts";
import type { ApiTokenInfo } from "../../../shared/protocol/api-tokens.ts";
import type { SecurityEvent } from "../../../shared/protocol/security-events.ts";
import { hashToken } from "../../auth/tokens.ts";
import { type ApiClient, signedInClient } from "../testing/api-client.ts";
import { ownerCredentials, serveTests, startTestServer } from "../testing/test-server.ts";
import { createToken, readTokenRow, TOKENS, tokenCaller } from "../testing/token-calls.ts";

const RECORDS = "/api/v1/tables/incidents/records";

const { server, owner, member } = await serveTests("service-desk", {
  TOKENS_PER_USER: "12",
});

const callWith = tokenCaller(server.origin);

const rowOf = (id: string) => readTokenRow(server.databaseUrl, id);

describe("an API token", () => {
  it("is shown once and stored as a hash", async () => {
    const { id, name, ...client } = await member();
    const created = await createToken(client, {
      role: "viewer",
      expiresAt: "2999-01-01T00:00:00Z",
    });
    expect(created.token).toMatch(/^wf_[\w-]{43}$/);
    const stored = await rowOf(created.id);
    expect(stored.hash).toBe(hashToken(created.token));
    expect(JSON.stringify(stored)).not.toContain(created.token.slice(11));
    const { token, ...info } = created;
    const one = await client.call("GET", `${TOKENS}/${created.id}`);
    expect(one.body).toEqual(info);
    expect(info).toMatchObject({
      name: "Nightly sync",
      prefix: token.slice(0, 11),
      creator: { id, name },
      role: "viewer",
      roleName: "Viewer",
      state: "active",
      expiresAt: "2999-01-01T00:00:00+00:00",
      lastUsed: null,
    });
  });

  it("says who it is and what it may do", async () => {
    const { id, ...client } = await member("editor");
    const { token, id: tokenId } = await createToken(client, { role: "viewer" });
    const { body } = await callWith(token, "GET", "/api/v1/session");
    expect(body).toMatchObject({
      user: { id, role: "viewer" },
      token: { id: tokenId, name: "Nightly sync" },
      abilities: { rights: [], tables: { incidents: { create: false, read: true } } },
    });
  });

  it("edits under its own name, by way of `api`, and keeps the name when it is revoked", async () => {
    const client = await member("editor");
    const { token, id } = await createToken(client, { name: "Importer" });
    const record = await callWith(token, "POST", RECORDS, { values: { title: "by a program" } });
    expect(record.status).toBe(201);
    const mutation = { id: crypto.randomUUID(), origin: "paste", ops: [] as object[] };
    const set = { title: "again" };
    const base = { title: "by a program" };
    mutation.ops.push({ op: "update", table: "incidents", record: record.body.id, set, base });
    expect((await callWith(token, "POST", "/api/v1/mutations", mutation)).status).toBe(200);
    await client.call("PATCH", `${TOKENS}/${id}`, { name: "Night importer" });
    await client.call("DELETE", `${TOKENS}/${id}`);
    const history = await owner.call("GET", `${RECORDS}/${record.body.id}/history`);
    const by = { kind: "token", id, name: "Night importer" };
    expect(history.body.items).toMatchObject([
      { kind: "update", by, origin: "api" },
      { kind: "insert", by, origin: "api" },
    ]);
  });

  it("is refused from the moment it is revoked", async () => {
    const client = await member();
    const { token, id } = await createToken(client);
    expect((await callWith(token, "GET", RECORDS)).status).toBe(200);
    expect((await client.call("DELETE", `${TOKENS}/${id}`)).status).toBe(204);
    const refused = await callWith(token, "GET", RECORDS);
    expect([refused.status, refused.body.code]).toEqual([401, "session_ended"]);
    expect(refused.headers.get("www-authenticate")).toBe("Bearer");
    expect((await client.call("DELETE", `${TOKENS}/${id}`)).status).toBe(404);
    expect((await client.call("GET", `${TOKENS}/${id}`)).status).toBe(404);
  });

  it("is refused when it has expired, and is still listed", async () => {
    const client = await member();
    const began = Date.now();
    await createToken(client);
    const lifetime = 1_500 + 10 * (Date.now() - began);
    const expiresAt = new Date(Date.now() + lifetime).toISOString();
    const { token, id } = await createToken(client, { expiresAt });
    await expect.poll(async () => (await callWith(token, "GET", RECORDS)).status).toBe(401);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt));
    const { body } = await client.call("GET", `${TOKENS}/${id}`);
    expect(body.state).toBe("expired");
  });

  it("must expire in the future, and have an existing role and a name", async () => {
    const client = await member();
    const refused = async (call: object) => {
      const { status, body } = await client.call("POST", TOKENS, { name: "x", ...call });
      return [status, Object.keys((body.fields as object) ?? {})];
    };
    expect(await refused({ expiresAt: "2020-01-01T00:00:00Z" })).toEqual([422, ["expiresAt"]]);
    expect(await refused({ role: "nobody" })).toEqual([422, ["role"]]);
    expect(await refused({ expiresAt: "tomorrow" })).toEqual([400, []]);
    expect(await refused({ name: "" })).toEqual([400, []]);
  });

  it("has a bounded number of others beside it", async () => {
    const client = await member();
    for (let n = 0; n < 12; n += 1) await createToken(client);
    const { status, body } = await client.call("POST", TOKENS, { name: "One more" });
    expect([status, body.code, body.limit]).toEqual([413, "too_large", 12]);
  });
});

describe("the list of tokens", () => {
  it("holds one's own, and those of everybody for the right `tokens`", async () => {
    const client = await member();
    const created = await createToken(client);
    const others = await member();
    const ids = async (by: ApiClient) =>
      ((await by.call("GET", TOKENS)).body.items as ApiTokenInfo[]).map(({ id }) => id);
    expect(await ids(client)).toEqual([created.id]);
    expect(await ids(others)).toEqual([]);
    expect(await ids(owner)).toContain(created.id);
    for (const [method, body] of [["GET"], ["PATCH", { name: "Mine now" }], ["DELETE"]] as const) {
      const { status } = await others.call(method, `${TOKENS}/${created.id}`, body);
      expect(status).toBe(404);
    }
    expect((await owner.call("DELETE", `${TOKENS}/${created.id}`)).status).toBe(204);
  });
});

describe("security events of tokens", () => {
  it("record creation, the first use of a day from an address, renaming and revocation", async () => {
    const { id, name, ...client } = await member();
    const {
      token,
      id: tokenId,
      prefix,
    } = await createToken(client, {
      name: "Before",
      expiresAt: null,
    });
    for (let n = 0; n < 3; n += 1) await callWith(token, "GET", RECORDS);
    await client.call("PATCH", `${TOKENS}/${tokenId}`, { name: "After" });
    await client.call("DELETE", `${TOKENS}/${tokenId}`);
    const { body } = await owner.call("GET", `/api/v1/security-events?group=tokens&user=${id}`);
    const events = (body.items as SecurityEvent[]).map(({ kind, actor, subject, detail }) => {
      return [kind, actor?.name, subject?.name, detail];
    });
    expect(events).toEqual([
      ["token_revoked", name, "After", { prefix }],
      ["token_renamed", name, "After", { before: "Before" }],
      ["token_used", name, "Before", {}],
      ["token_created", name, "Before", { prefix, role: null, expires: null }],
    ]);
    expect((await rowOf(tokenId)).last_used).not.toBeNull();
    expect(JSON.stringify(body)).not.toContain(token);
  });

  it("name the token by which something else was done", async () => {
    const { token } = await createToken(owner, { name: "Exporter" });
    await callWith(token, "GET", "/api/v1/changes/export.csv").catch(() => undefined);
    const { body } = await owner.call("GET", "/api/v1/security-events?group=data");
    expect((body.items as SecurityEvent[])[0]?.detail).toMatchObject({ token: "Exporter" });
  });
});

describe("the use of a token", () => {
  it("is an event for each address, and is written at most once a minute", async () => {
    const proxied = await startTestServer({ TRUST_PROXY: "1" });
    await proxied.owner("service-desk");
    const user = await signedInClient(proxied.origin, ownerCredentials);
    const { body } = await user.call("POST", TOKENS, { name: "Travelling" });
    const lastUsed = async () => (await user.call("GET", `${TOKENS}/${body.id}`)).body.lastUsed;
    const callFrom = (address: string) => {
      const headers = { authorization: `Bearer ${body.token}`, "x-forwarded-for": address };
      return fetch(proxied.origin + RECORDS, { headers });
    };
    await callFrom("192.0.2.1");
    const first = await lastUsed();
    for (const address of ["192.0.2.1", "192.0.2.2", "192.0.2.2"]) await callFrom(address);
    expect([typeof first, await lastUsed()]).toEqual(["string", first]);
    const events = await user.call("GET", "/api/v1/security-events?group=tokens");
    const used = (events.body.items as SecurityEvent[]).filter(({ kind }) => kind === "token_used");
    expect(used.map(({ ip }) => ip)).toEqual(["192.0.2.2", "192.0.2.1"]);
    await proxied.close();
  });
});

describe("the rate limit of a token", () => {
  it("is its own, and every answer says what is left", async () => {
    const limited = await startTestServer({
      WATCHFLOOR_REQUESTS_PER_TOKEN: "3",
      ...endlessWindow,
    });
    await limited.owner("service-desk");
    const user = await signedInClient(limited.origin, ownerCredentials);
    const { body } = await user.call("POST", TOKENS, { name: "Busy" });
    const headers = { authorization: `Bearer ${body.token}` };
    const answers = [];
    for (let n = 0; n < 4; n += 1) answers.push(await fetch(limited.origin + RECORDS, { headers }));
    const limits = answers.map((answer) =>
      answer.headers.get("ratelimit")?.replace(/t=\d+/, "t=N"),
    );
    expect(limits).toEqual([2, 1, 0, 0].map((left) => `"token";r=${left};t=N`));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    const [first, , , last] = answers;
    expect(first?.headers.get("ratelimit-policy")).toBe(
      `"token";q=3;w=${Math.ceil(Number(endlessWindow.RATE_WINDOW_MS) / 1_000)}`,
    );
    expect(Number(last?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await user.call("GET", RECORDS)).status).toBe(200);
    await limited.close();
  });
});
