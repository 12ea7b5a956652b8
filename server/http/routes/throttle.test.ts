import { Client } from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { apiClient } from "../testing/api-client.ts";
import { ownerCredentials, startTestServer, type TestServer } from "../testing/test-server.ts";

const SESSION = "/api/v1/session";
let server: TestServer;
afterEach(() => server.close());

const attempt = async (credentials: { email: string; password: string }) => {
  const { status, body } = await apiClient(server.origin).call("POST", SESSION, credentials);
  return { status, body };
};

/** All attempts so far are as old as the window of 15 minutes is long. */
async function windowPasses(): Promise<void> {
  const client = new Client({ connectionString: server.databaseUrl });
  await client.connect();
  await client.query(`update watchfloor.sign_in_attempt set attempts =
    array(select at - interval '15 minutes' from unnest(attempts) at order by at)`);
  await client.end();
}

describe("the sign-in throttle", () => {
  it("lets ten failures through, also all at once, and refuses the right password after them", async () => {
    server = await startTestServer();
    await server.owner();
    const wrong = { ...ownerCredentials, password: "wrong" };
    const answers = await Promise.all(Array.from({ length: 14 }, () => attempt(wrong)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(4).fill(429)]);
    const refused = await attempt(ownerCredentials);
    expect(refused.body).toMatchObject({ status: 429, code: "rate_limited" });
    expect(refused.body.retryAfter).toBeGreaterThan(800);
  });

  it("forgets failures when the right password comes, and after the window", async () => {
    server = await startTestServer({ WATCHFLOOR_SIGN_IN_FAILURES_PER_ACCOUNT: "2" });
    await server.owner();
    const wrong = { ...ownerCredentials, password: "wrong" };
    expect((await attempt(wrong)).status).toBe(401);
    expect((await attempt(ownerCredentials)).status).toBe(200);
    expect((await attempt(wrong)).status).toBe(401);
    expect((await attempt(wrong)).status).toBe(401);
    expect((await attempt(ownerCredentials)).status).toBe(429);
    await windowPasses();
    expect((await attempt(ownerCredentials)).status).toBe(200);
  });

  it("counts one account, however its email is written, and an unknown one alike", async () => {
    server = await startTestServer({ WATCHFLOOR_SIGN_IN_FAILURES_PER_ACCOUNT: "2" });
    const owner = { email: "mira.bills@example.com", password: ownerCredentials.password };
    await server.auth.setup.ensureOwner({ ...owner, template: "empty" });
    // The database takes the Turkish capital for an i, where scripts make two signs of it.
    const spellings = ["m\u0130ra.bills", "MIRA.b\u0130lls", " mira.bills", "m\u0130ra.b\u0130lls"];
    for (const known of [true, false]) {
      const statuses = [];
      for (const spelling of spellings) {
        const email = `${known ? spelling : spelling.replace("b", "p")}@example.com`;
        statuses.push((await attempt({ email, password: "wrong" })).status);
      }
      expect(statuses).toEqual([401, 401, 429, 429]);
    }
  });

  it("counts an address over all accounts, and right passwords do not count", async () => {
    server = await startTestServer({ WATCHFLOOR_SIGN_IN_FAILURES_PER_ADDRESS: "3" });
    await server.owner();
    for (let time = 0; time < 5; time += 1) {
      expect((await attempt(ownerCredentials)).status).toBe(200);
    }
    for (const name of ["a", "b", "c"]) {
      const unknown = { email: `${name}@example.com`, password: "wrong" };
      expect((await attempt(unknown)).status).toBe(401);
    }
    expect((await attempt({ email: "d@example.com", password: "wrong" })).status).toBe(429);
  });
});
