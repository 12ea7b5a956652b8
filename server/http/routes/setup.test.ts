import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ensureOwner, issueSetupToken } from "../../auth/setup.ts";
import { apiClient } from "../testing/api-client.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";

const SETUP = "/api/v1/setup";
const owner = {
  email: "ow@example.com",
  name: "Ow",
  password: "long enough for a start",
  template: "empty" as const,
};

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

describe("the first run", () => {
  it("creates the owner by the printed token, once, and signs in", async () => {
    const token = await issueSetupToken(server.auth);
    const client = apiClient(server.origin);
    expect((await client.call("GET", SETUP)).body).toEqual({ needed: true });
    const { status, body } = await client.call("POST", SETUP, { ...owner, token });
    expect(status).toBe(201);
    expect(body.user).toMatchObject({ email: owner.email, role: "owner" });
    expect((await client.call("GET", "/api/v1/session")).status).toBe(200);
    expect((await client.call("GET", SETUP)).body).toEqual({ needed: false });
    const repeated = await apiClient(server.origin).call("POST", SETUP, { ...owner, token });
    expect(repeated.body).toMatchObject({ status: 403, right: "setup" });
    expect(await issueSetupToken(server.auth)).toBeNull();
    expect(server.log.join()).not.toContain(token);
  });

  it("refuses another token, and lets one of two simultaneous calls win", async () => {
    const token = await issueSetupToken(server.auth);
    const wrong = await apiClient(server.origin).call("POST", SETUP, { ...owner, token: "guess" });
    expect(wrong.status).toBe(403);
    const race = ["one", "two", "three"].map((name) => {
      const call = { ...owner, email: `${name}@example.com`, token };
      return apiClient(server.origin).call("POST", SETUP, call);
    });
    const statuses = (await Promise.all(race)).map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 403, 403]);
  });

  it("accepts links of two servers until one is used", async () => {
    const [one, two] = [await issueSetupToken(server.auth), await issueSetupToken(server.auth)];
    const client = apiClient(server.origin);
    expect((await client.call("POST", SETUP, { ...owner, token: one })).status).toBe(201);
    expect((await client.call("POST", SETUP, { ...owner, token: two })).status).toBe(403);
  });

  it("needs no link if the environment names the owner, and does so only once", async () => {
    expect(await server.owner()).toMatch(/^[0-9a-f-]{36}$/);
    const second = { ...owner, email: "other@example.com" };
    expect(await ensureOwner(server.auth, second)).toBeNull();
  });

  it("refuses a link that is older than a day, and preserves the age of one whose set-up failed", async () => {
    const token = await issueSetupToken(server.auth);
    const client = apiClient(server.origin);
    const weak = { ...owner, password: "watchfloor watchfloor", token };
    expect((await client.call("POST", SETUP, weak)).status).toBe(422);
    const database = new Client({ connectionString: server.databaseUrl });
    await database.connect();
    const { rowCount } = await database.query(
      "update watchfloor.setup_token set created_at = created_at - interval '24 hours' where created_at < now()",
    );
    expect(rowCount).toBe(1);
    await database.end();
    const late = await client.call("POST", SETUP, { ...owner, token });
    expect(late.body).toMatchObject({ status: 403, right: "setup" });
  });
});
