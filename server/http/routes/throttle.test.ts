import { Client } from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { ensureOwner } from "../../auth/setup.ts";
import { apiClient, signedInClient } from "../testing/api-client.ts";
import { ownerCredentials, startTestServer, type TestServer } from "../testing/test-server.ts";

const SESSION = "/api/v1/session";
let server: TestServer;
/** The first wait is one that no slow machine outlasts. */
const start = (environment: Record<string, string> = {}) =>
  startTestServer({ SIGN_IN_FIRST_WAIT_MS: "60000", ...environment });
afterEach(() => server.close());

const attempt = async (credentials: { email: string; password: string }, cookie = "") => {
  const answer = await fetch(`${server.origin}${SESSION}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: server.origin, cookie },
    body: JSON.stringify(credentials),
  });
  const body = (await answer.json()) as { retryAfter?: number; code?: string };
  const cookies = answer.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
  const device = cookies.find((one) => one.startsWith("watchfloor_device="));
  return { status: answer.status, body, device, cookies: answer.headers.getSetCookie() };
};
const wrong = { ...ownerCredentials, password: "wrong" };

/** This many attempts at once, none of them right. */
const guesses = async (count: number, cookie?: string) =>
  (await Promise.all(Array.from({ length: count }, () => attempt(wrong, cookie)))).map(
    ({ status }) => status,
  );

/** Makes everything that was counted this much older. */
async function timePasses(span: string): Promise<void> {
  const client = new Client({ connectionString: server.databaseUrl });
  await client.connect();
  await client.query(`update watchfloor.sign_in_attempt set attempts =
    array(select at - interval '${span}' from unnest(attempts) at order by at)`);
  await client.end();
}

describe("the sign-in throttle", () => {
  it("answers ten failures at once, also in parallel, and then makes an unknown device wait", async () => {
    server = await start();
    await server.owner();
    expect((await guesses(14)).sort()).toEqual([...Array(10).fill(401), ...Array(4).fill(429)]);
    const refused = await attempt(ownerCredentials);
    expect(refused.body).toMatchObject({ status: 429, code: "rate_limited" });
    expect(refused.body.retryAfter).toBeLessThanOrEqual(60);
    await timePasses("60 seconds");
    expect((await attempt(ownerCredentials)).status).toBe(200);
  });

  it("lets in everybody of an office whose right passwords arrive at the same moment", async () => {
    server = await start({ SIGN_IN_FAILURES_PER_ADDRESS: "10" });
    await server.owner();
    const owner = await signedInClient(server.origin, ownerCredentials);
    const users = Array.from({ length: 20 }, (_, n) => ({
      email: `user-${n}@example.com`,
      password: "a long password",
    }));
    for (const user of users) {
      const created = { ...user, name: user.email, role: "viewer" };
      expect((await owner.call("POST", "/api/v1/users", created)).status).toBe(201);
    }
    const statuses = (await Promise.all(users.map((user) => attempt(user)))).map(
      ({ status }) => status,
    );
    expect(statuses).toEqual(users.map(() => 200));
  });

  it("doubles the wait with each further failure", async () => {
    server = await start();
    await server.owner();
    await guesses(10);
    for (const expected of [60, 120, 240]) {
      const wait = (await attempt(wrong)).body.retryAfter ?? 0;
      expect(wait).toBeLessThanOrEqual(expected);
      expect(wait).toBeGreaterThan(expected / 2);
      await timePasses(`${expected} seconds`);
      expect((await attempt(wrong)).status).toBe(401);
    }
  });

  it("accepts the owner on a known device while strangers guess, and counts that device separately", async () => {
    server = await start({ SIGN_IN_FAILURES_PER_ADDRESS: "12" });
    await server.owner();
    const first = await attempt(ownerCredentials);
    expect(first.device).toMatch(/^watchfloor_device=.{20,}/);
    expect(first.cookies.join()).toMatch(/watchfloor_device=[^,]*HttpOnly; SameSite=Lax/);
    expect((await guesses(30)).filter((status) => status === 429).length).toBeGreaterThan(0);
    expect((await attempt(ownerCredentials)).status).toBe(429);
    const known = await attempt(ownerCredentials, first.device);
    expect([known.status, known.device]).toEqual([200, first.device]);
    // a guesser on that device waits too, but never long
    expect((await guesses(14, first.device)).filter((status) => status === 429)).toHaveLength(4);
    for (let time = 0; time < 5; time += 1) {
      await timePasses("30 seconds");
      expect((await attempt(wrong, first.device)).status).toBe(401);
    }
    await timePasses("30 seconds");
    expect((await attempt(ownerCredentials, first.device)).status).toBe(200);
  });

  it("treats a device cookie of another user, or an invented one, as unknown", async () => {
    server = await start();
    await server.owner();
    await guesses(10);
    expect((await attempt(ownerCredentials, "watchfloor_device=made-up")).status).toBe(429);
    const client = apiClient(server.origin);
    await timePasses("60 seconds");
    await client.call("POST", SESSION, ownerCredentials);
    const password = "another horse battery";
    const other = { email: "other@example.com", name: "Other", role: "viewer", password };
    expect((await client.call("POST", "/api/v1/users", other)).status).toBe(201);
    const { device } = await attempt({ email: other.email, password });
    await guesses(11);
    expect((await attempt(ownerCredentials, device)).status).toBe(429);
  });

  it("forgets known devices with the password", async () => {
    server = await start();
    await server.owner();
    const { device } = await attempt(ownerCredentials);
    const client = apiClient(server.origin);
    await client.call("POST", SESSION, ownerCredentials);
    const password = "entirely other words here";
    const change = { current: ownerCredentials.password, password };
    expect((await client.call("PUT", "/api/v1/me/password", change)).status).toBe(204);
    await guesses(11);
    expect((await attempt({ ...ownerCredentials, password }, device)).status).toBe(429);
  });

  it("lets a signed-in user prove the password while strangers guess", async () => {
    server = await start();
    await server.owner();
    const client = apiClient(server.origin);
    await client.call("POST", SESSION, ownerCredentials);
    expect((await guesses(11)).at(-1)).toBeDefined();
    const password = "entirely other words here";
    const change = { current: ownerCredentials.password, password };
    expect((await client.call("PUT", "/api/v1/me/password", change)).status).toBe(204);
  });

  it("clears failures when the right password comes, and after the window", async () => {
    server = await start({ SIGN_IN_FAILURES_PER_ACCOUNT: "2" });
    await server.owner();
    expect((await attempt(wrong)).status).toBe(401);
    expect((await attempt(ownerCredentials)).status).toBe(200);
    expect((await attempt(wrong)).status).toBe(401);
    expect((await attempt(wrong)).status).toBe(401);
    expect((await attempt(ownerCredentials)).status).toBe(429);
    await timePasses("15 minutes");
    expect((await attempt(wrong)).status).toBe(401);
    expect((await attempt(ownerCredentials)).status).toBe(200);
  });

  it("counts one account, however its email is written, and an unknown one alike", async () => {
    server = await start({ SIGN_IN_FAILURES_PER_ACCOUNT: "2" });
    const owner = { email: "mira.bills@example.com", password: ownerCredentials.password };
    await ensureOwner(server.auth, { ...owner, template: "empty" });
    // The database folds the Turkish capital to an i, where scripts make two characters of it.
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

  it("counts an address over all accounts, and not right passwords", async () => {
    server = await start({ SIGN_IN_FAILURES_PER_ADDRESS: "3" });
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
