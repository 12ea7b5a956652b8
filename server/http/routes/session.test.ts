import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultLimits } from "../../../shared/limits.ts";
import { hashPassword, isOutdated, passwordCost } from "../../auth/password.ts";
import { startSession } from "../../auth/sign-in.ts";
import { issueDisplayLink, takeDisplayLink } from "../../displays/create-displays.ts";
import { beginPairing } from "../../displays/pairing.ts";
import { type ApiClient, apiClient, signedInClient } from "../testing/api-client.ts";
import { ownerCredentials, startTestServer, type TestServer } from "../testing/test-server.ts";

const SESSION = "/api/v1/session";

let server: TestServer;
let anyone: ApiClient;

beforeAll(async () => {
  server = await startTestServer();
  await server.owner();
});
afterAll(() => server.close());

const query = async (text: string, values: unknown[] = []) => {
  const client = new Client({ connectionString: server.databaseUrl });
  await client.connect();
  const { rows } = await client.query(text, values);
  await client.end();
  return rows;
};

describe("signing in", () => {
  it("opens a session, whatever the case of the email, and answers the user", async () => {
    anyone = apiClient(server.origin);
    const credentials = { ...ownerCredentials, email: " oWNER@EXAMPLE.COM " };
    const { status, body, headers } = await anyone.call("POST", SESSION, credentials);
    expect(status).toBe(200);
    expect(body.user).toMatchObject({ email: ownerCredentials.email, role: "owner" });
    expect(body.abilities).toMatchObject({ rights: expect.arrayContaining(["users"]) });
    const cookie = headers.getSetCookie()[0];
    expect(cookie).toMatch(
      /^watchfloor_session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/,
    );
    expect((await anyone.call("GET", SESSION)).body.user).toEqual(body.user);
  });

  const password = "seven walnuts on a shelf";
  it.each<[string, (client: ApiClient) => Promise<unknown>]>([
    ["with a password", (client) => client.call("POST", SESSION, ownerCredentials)],
    [
      "by an invitation",
      async (client) => {
        const caller = { email: "new@example.com", name: "New", role: "viewer" };
        const { body } = await client.call("POST", "/api/v1/users", caller);
        const token = new URL(String(body.invitation)).hash.slice(1);
        return client.call("POST", `/api/v1/invitations/${token}`, { password });
      },
    ],
  ])("ends the session that the browser had before: %s", async (_how, enter) => {
    const client = await signedInClient(server.origin, ownerCredentials);
    const former = { cookie: `watchfloor_session=${client.token()}` };
    await enter(client);
    expect((await client.call("GET", SESSION)).status).toBe(200);
    const old = await apiClient(server.origin).call("GET", SESSION, undefined, former);
    expect(old.body.code).toBe("session_ended");
  });

  it("stores neither password nor token in plain text", async () => {
    const client = await signedInClient(server.origin, ownerCredentials);
    const rows = await query(
      `select u.password_hash, s.* from watchfloor.session s join watchfloor."user" u on u.id = user_id`,
    );
    expect(rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=\d+,t=\d,p=1\$/);
    expect(JSON.stringify(rows)).not.toContain(client.token());
  });

  it("stores the password anew where its hash is of another cost than today's", async () => {
    const { passes } = passwordCost;
    passwordCost.passes += 1;
    const former = await hashPassword(ownerCredentials.password);
    passwordCost.passes = passes;
    const { email } = ownerCredentials;
    const text = `update watchfloor."user" set password_hash = $1 where email = $2`;
    await query(text, [former, email]);
    await signedInClient(server.origin, ownerCredentials);
    const [user] = await query(`select password_hash from watchfloor."user" where email = $1`, [
      email,
    ]);
    expect([isOutdated(former), isOutdated(user.password_hash)]).toEqual([true, false]);
    await signedInClient(server.origin, ownerCredentials);
  });

  it("answers an unknown email and a wrong password alike", async () => {
    const client = apiClient(server.origin);
    const wrong = await client.call("POST", SESSION, { ...ownerCredentials, password: "wrong" });
    const unknown = await client.call("POST", SESSION, { email: "no@example.com", password: "x" });
    expect(wrong.status).toBe(401);
    expect(unknown.body).toEqual(wrong.body);
    expect(wrong.body).toMatchObject({ code: "unauthenticated", status: 401 });
  });

  const https = { "x-forwarded-proto": "https" };
  const byName = (name: string, token: string) => ({ cookie: `${name}=${token}` });

  it("over https through a trusted proxy sets a cookie that only this host can set", async () => {
    const behind = await startTestServer({ TRUST_PROXY: "1" });
    await behind.owner();
    const guest = apiClient(behind.origin);
    const answer = await guest.call("POST", SESSION, ownerCredentials, https);
    const [line = ""] = answer.headers.getSetCookie();
    expect(line).toMatch(
      /^__Host-watchfloor_session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
    );
    const mine = { cookie: line.split(";")[0] ?? "" };
    // a cookie of the plain name, as a neighbouring host could set it, is ignored
    const tossed = { cookie: `watchfloor_session=${"x".repeat(43)}; ${mine.cookie}` };
    for (const headers of [mine, tossed]) {
      expect((await guest.call("GET", SESSION, undefined, headers)).status).toBe(200);
    }
    await behind.close();
  });

  it("on https a session cookie of the plain name is ignored", async () => {
    const secure = await startTestServer({ PUBLIC_URL: "https://desk.example" });
    const id = await secure.owner();
    const token = await startSession(secure.auth, id, { ip: "", userAgent: "" }, "link");
    const guest = apiClient(secure.origin);
    for (const [name, status] of [
      ["watchfloor_session", 401],
      ["__Host-watchfloor_session", 200],
    ] as const) {
      const answer = await guest.call("GET", SESSION, undefined, byName(name, token));
      expect([name, answer.status]).toEqual([name, status]);
    }
    await secure.close();
  });

  it("as is the cookie of a display, or its screen, of a plain name", async () => {
    const secure = await startTestServer({ PUBLIC_URL: "https://desk.example" });
    const link = await issueDisplayLink(secure.displays, { id: "wall", name: "Wall", boards: [] });
    const credential = await takeDisplayLink(secure.displays, link);
    const { secret } = await beginPairing(secure.displays, "", null);
    const guest = apiClient(secure.origin);
    for (const [prefix, status, state] of [
      ["", 401, "expired"],
      ["__Host-", 200, "waiting"],
    ] as const) {
      const cookie = `${prefix}watchfloor_display=${credential}; ${prefix}watchfloor_pairing=${secret}`;
      const looked = await guest.call("GET", "/api/v1/display/pairing", undefined, { cookie });
      const played = await guest.call("GET", "/api/v1/display", undefined, { cookie });
      expect([prefix, played.status, looked.body.state]).toEqual([prefix, status, state]);
    }
    await secure.close();
  });

  it("ignores headers of a proxy if there is none", async () => {
    const guest = apiClient(server.origin);
    const spoofed = {
      ...https,
      "x-forwarded-host": "elsewhere.example",
      "x-forwarded-for": "192.0.2.1",
    };
    const { headers } = await guest.call("POST", SESSION, ownerCredentials, spoofed);
    const [line = ""] = headers.getSetCookie();
    expect(line).not.toMatch(/Secure|__Host-/);
    const [{ ip }] = await query(
      "select ip from watchfloor.session order by created_at desc limit 1",
    );
    expect(ip).toContain("127.0.0.1");
    const from = { ...spoofed, origin: "http://elsewhere.example" };
    expect((await guest.call("POST", SESSION, ownerCredentials, from)).status).toBe(403);
  });

  it("accepts the token as bearer too, and then needs no origin", async () => {
    const client = await signedInClient(server.origin, ownerCredentials);
    const authorization = `Bearer ${client.token()}`;
    const other = apiClient(server.origin);
    const elsewhere = { authorization, origin: "https://elsewhere.example" };
    expect((await other.call("GET", SESSION, undefined, { authorization })).status).toBe(200);
    expect((await other.call("DELETE", SESSION, undefined, elsewhere)).status).toBe(204);
  });
});

describe("a session", () => {
  it("is invalid after signing out", async () => {
    const client = await signedInClient(server.origin, ownerCredentials);
    const token = client.token();
    const out = await client.call("DELETE", SESSION);
    expect(out.status).toBe(204);
    expect(out.headers.getSetCookie()[0]).toMatch(/^watchfloor_session=; Path=\/; Max-Age=0;/);
    const repeated = { authorization: `Bearer ${token}` };
    const answer = await apiClient(server.origin).call("GET", SESSION, undefined, repeated);
    expect(answer.body).toMatchObject({ status: 401, code: "session_ended" });
  });

  it("answers unauthenticated if there was none", async () => {
    const { body } = await apiClient(server.origin).call("GET", SESSION);
    expect(body).toMatchObject({ status: 401, code: "unauthenticated" });
  });

  it("ends when it was idle for too long, and when it is too old", async () => {
    const ages = [
      "last_seen = now() - interval '13 hours'",
      "created_at = now() - interval '31 days'",
    ];
    for (const age of ages) {
      const client = await signedInClient(server.origin, ownerCredentials);
      await query(`update watchfloor.session set ${age}`);
      await expect.poll(async () => (await client.call("GET", SESSION)).status).toBe(401);
    }
  });

  it("stays open while it is used", async () => {
    await query("delete from watchfloor.session");
    const client = await signedInClient(server.origin, ownerCredentials);
    await query("update watchfloor.session set last_seen = now() - interval '11 hours'");
    const idle = "select 1 from watchfloor.session where last_seen < now() - interval '1 hour'";
    await expect
      .poll(async () => [(await client.call("GET", SESSION)).status, (await query(idle)).length])
      .toEqual([200, 0]);
  });

  it("is not used by what an open page reads by itself", async () => {
    await query("delete from watchfloor.session");
    const client = await signedInClient(server.origin, ownerCredentials);
    await query("update watchfloor.session set last_seen = now() - interval '11 hours'");
    const background = { "x-watchfloor-background": "1" };
    // A look-up may be cached: one that finds the new name is not.
    await query(`update watchfloor."user" set name = 'Found anew'`);
    await expect
      .poll(async () => (await client.call("GET", SESSION, undefined, background)).body.user)
      .toMatchObject({ name: "Found anew" });
    const used = "select 1 from watchfloor.session where last_seen > now() - interval '1 hour'";
    expect(await query(used)).toEqual([]);
  });
});

describe("the current session", () => {
  it("is answered with the limits for the client", async () => {
    const small = await startTestServer({ PAGE_MAX_RECORDS: "100" });
    await small.owner();
    const client = await signedInClient(small.origin, ownerCredentials);
    const { body } = await client.call("GET", "/api/v1/session");
    expect(body.limits).toEqual({
      PAGE_MAX_RECORDS: 100,
      MUTATION_MAX_OPS: defaultLimits.MUTATION_MAX_OPS,
      REQUEST_BODY_MAX_BYTES: defaultLimits.REQUEST_BODY_MAX_BYTES,
      PRESENCE_HEARTBEAT_MS: defaultLimits.PRESENCE_HEARTBEAT_MS,
      PRESENCE_UPDATES_PER_SECOND: defaultLimits.PRESENCE_UPDATES_PER_SECOND,
    });
    await small.close();
  });
});
