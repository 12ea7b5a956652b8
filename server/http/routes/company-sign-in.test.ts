import { Client } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { CompanyBrowser } from "../../../e2e/harness/company/company-browser.ts";
import {
  type Account,
  type CompanyProvider,
  clientId,
  clientSecret,
  startCompanyProvider,
} from "../../../e2e/harness/company/company-provider.ts";
import type { SecurityEvent } from "../../../shared/protocol/security-events.ts";
import { apiClient } from "../testing/api-client.ts";
import {
  memberPassword,
  ownerCredentials,
  serveTests,
  startTestServer,
} from "../testing/test-server.ts";
import { createToken, tokenCaller } from "../testing/token-calls.ts";

const API = "/api/v1";
const publicUrl = "http://desk.localhost";
const { server, owner, ownerId, member } = await serveTests("service-desk", {
  PUBLIC_URL: publicUrl,
  RECENT_AUTHENTICATION_MS: "300000",
  WATCHFLOOR_SECRET_KEY: "thirty-two characters of a secret key",
});
const { origin } = server;

let company: CompanyProvider;
let program: Client;
beforeAll(async () => {
  program = new Client({ connectionString: server.databaseUrl });
  await program.connect();
  company = await startCompanyProvider({ publicUrl, origin, ids: ["company", "other"] });
  expect((await connect({})).status).toBe(201);
});
afterEach(() => {
  company.forge = null;
  company.refusesUserInfo = false;
});
afterAll(async () => {
  await company[Symbol.asyncDispose]();
  await program.end();
});

const connect = (options: object) =>
  owner.call("POST", `${API}/identity-providers`, {
    ...{ id: "company", name: "Company", issuer: company.issuer, clientId, clientSecret },
    ...{ createUsers: { domains: ["example.com"], role: "viewer" } },
    ...options,
  });
const configure = async (options: object) => {
  const answer = await owner.call("PATCH", `${API}/identity-providers/company`, options);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
};
const setPolicy = (policy: object) =>
  owner.call("PUT", `${API}/sign-in-policy`, {
    ...{ providerOnly: [], secondFactor: [], breakGlass: null },
    ...policy,
  });

let serial = 0;
/** Somebody whom the company knows. */
function employee(more: object = {}): Account & { email: string } {
  serial += 1;
  const email = `employee${serial}@example.com`;
  return { sub: `e-${serial}`, email, email_verified: true, name: `Employee ${serial}`, ...more };
}

/** Signs in with a company account, in a browser of its own. */
async function enter(account: Account, returnTo?: string) {
  company.signsIn = account;
  const browser = new CompanyBrowser(origin, publicUrl);
  const location = await browser.signIn("company", returnTo);
  const { body } = await browser.call("GET", "/session");
  return { browser, location, me: body.user ?? null, body, problem: await browser.problem() };
}

async function invite(role: string, email: string) {
  const { body } = await owner.call("POST", `${API}/users`, { email, name: "Invited", role });
  return { id: String(body.id), token: new URL(String(body.invitation)).hash.slice(1) };
}

const events = async (group: string) => {
  const { body } = await owner.call("GET", `${API}/security-events?group=${group}`);
  return body.items as SecurityEvent[];
};

describe("a provider", () => {
  it("is stored, without its secret in any answer, and refused where its discovery can't be read", async () => {
    const { body } = await owner.call("GET", `${API}/identity-providers/company`);
    expect(body).toMatchObject({
      ...{ id: "company", issuer: company.issuer, scopes: ["openid", "profile", "email"] },
      redirectUri: `${publicUrl}/sign-in/company/callback`,
    });
    expect(JSON.stringify(body)).not.toContain(clientSecret);
    const { rows } = await program.query("select client_secret from watchfloor.identity_provider");
    expect(JSON.stringify(rows)).not.toContain(clientSecret);
    const nobody = await connect({ id: "nobody", issuer: "http://127.0.0.1:9" });
    expect(nobody.body).toMatchObject({ status: 422, fields: { issuer: { rule: "discovery" } } });
    for (const issuer of [
      "http://sso.example.com",
      "https://login.microsoftonline.com/common/v2.0",
      "https://login.microsoftonline.com/{tenantid}/v2.0",
    ]) {
      expect((await connect({ id: "bad", issuer })).status, issuer).toBe(400);
    }
    const moved = await owner.call("PATCH", `${API}/identity-providers/company`, {
      issuer: "http://127.0.0.1:9",
    });
    expect(moved.body).toMatchObject({
      status: 422,
      fields: { clientSecret: { rule: "required" } },
    });
    const makesOwners = await connect({ id: "bad", createUsers: { role: "owner" } });
    expect(makesOwners.body).toMatchObject({ fields: { createUsers: { rule: "owner" } } });
  });

  it("is changed by owners alone, who have proved lately who they are", async () => {
    const admin = await member("admin");
    const path = `${API}/identity-providers/company`;
    expect((await admin.call("GET", path)).body).toMatchObject({ status: 403, role: "owner" });
    await program.query(
      "update watchfloor.session set proven_at = now() - interval '1 hour' where user_id = $1",
      [ownerId],
    );
    const stale = await owner.call("PATCH", path, { name: "Firm" });
    expect(stale.body).toMatchObject({ code: "authentication_too_old" });
    const { password } = ownerCredentials;
    expect((await owner.call("POST", `${API}/session/proof`, { password })).status).toBe(204);
    await configure({ name: "Company" });
  });
});

describe("without a public address", () => {
  it("nobody signs in by a provider, and the page says why", async () => {
    const bare = await startTestServer();
    const other = new Client({ connectionString: bare.databaseUrl });
    await other.connect();
    await other.query(
      `insert into watchfloor.identity_provider (id, name, issuer, client_id, client_secret, options)
       values ('company', 'Company', $1, $2, 'secret', '{"scopes":["openid"]}')`,
      [company.issuer, clientId],
    );
    await other.end();
    const browser = new CompanyBrowser(bare.origin, bare.origin);
    expect(await browser.begin("company")).toBe("/sign-in-failed");
    const { body } = await browser.call("GET", "/sign-in-methods");
    expect(body).toMatchObject({ providers: [], problem: { setting: "PUBLIC_URL" } });
    expect((await browser.get(`${bare.origin}/sign-in/company/callback?code=1`)).status).toBe(403);
    await bare.close();
  });
});

describe("the state of a provider", () => {
  const state = async () =>
    (await owner.call("GET", `${API}/identity-providers/company/state`)).body;

  it("says that it can be read, how far its clock is, or why nobody can sign in", async () => {
    expect(await state()).toMatchObject({ problem: null, aheadS: expect.any(Number) });
    company.isDown = true;
    expect(await state()).toMatchObject({
      problem: { messageKey: "provider.unreachable" },
      aheadS: null,
    });
    company.isDown = false;
    const admin = await member("admin");
    expect((await admin.call("GET", `${API}/identity-providers/company/state`)).status).toBe(403);
  });
});

describe("a first sign-in", () => {
  it("creates a user of the allowed domain, and finds them again by their subject, whatever their email", async () => {
    const account = employee();
    const first = await enter(account, "/tables/incidents?view=1");
    expect(first.location).toBe("/tables/incidents?view=1");
    expect(first.me).toMatchObject({ email: account.email, name: account.name, role: "viewer" });
    const again = await enter({ ...account, email: "renamed@example.com", email_verified: false });
    expect(again.me).toMatchObject({ id: first.me.id, email: account.email });
    const stranger = await enter(employee({ email: "someone@elsewhere.org" }));
    expect([stranger.me, stranger.problem]).toEqual([null, "domain"]);
    expect(stranger.location).toBe("/sign-in-failed");
  });

  it("brings the verified email of the account, to which mail goes, but no password account another one", async () => {
    const account = employee();
    const { me } = await enter(account);
    const renamed = { ...account, email: `Renamed-${account.email}` };
    expect((await enter(renamed)).me).toMatchObject({ id: me.id, email: renamed.email });
    const [event] = await events("people");
    expect(event).toMatchObject({ kind: "user_changed", detail: { changed: ["email"] } });
    const taken = await enter(employee());
    const same = { ...renamed, email: String(taken.me.email).toUpperCase() };
    expect((await enter(same)).me).toMatchObject({ id: me.id, email: renamed.email });
    const password = `update watchfloor."user" set password_hash = 'x' where id = $1`;
    await program.query(password, [me.id]);
    expect((await enter(account)).me).toMatchObject({ id: me.id, email: renamed.email });
  });

  it("accepts the invitation of the same verified email; one with administrative rights only by its link", async () => {
    const editor = employee({ email_verified: undefined });
    const invited = await invite("editor", editor.email);
    expect((await enter(editor)).problem).toBe("unverified");
    await configure({ trustEmail: { domains: ["example.com"] } });
    expect((await enter(editor)).me).toMatchObject({ id: invited.id, role: "editor" });
    await configure({ trustEmail: null });

    const admin = employee();
    const { id, token } = await invite("admin", admin.email);
    expect((await enter(admin)).problem).toBe("invitation");
    company.signsIn = admin;
    const browser = new CompanyBrowser(origin, publicUrl);
    const path = `/invitations/${token}/sign-in`;
    const { body } = await browser.call("POST", path, { provider: "company" });
    expect(await browser.goOn(body.location)).toBe("/");
    expect((await browser.call("GET", "/session")).body.user).toMatchObject({ id, role: "admin" });
    expect((await browser.call("POST", path, { provider: "company" })).status).toBe(404);
  });

  it("never takes an active account by its email: its user links it, with the password", async () => {
    const me = await member("editor");
    const account = employee({ email: me.credentials.email });
    expect((await enter(account)).problem).toBe("taken");

    company.signsIn = account;
    const browser = new CompanyBrowser(origin, publicUrl);
    await browser.call("POST", "/session", me.credentials);
    const link = (password: string) =>
      browser.call("POST", "/me/linked-accounts", {
        provider: "company",
        password,
        returnTo: "/me",
      });
    expect((await link("not my password")).status).toBe(422);
    expect(await browser.goOn((await link(memberPassword)).body.location)).toBe("/me");
    const { body } = await browser.call("GET", "/me/linked-accounts");
    expect(body.items).toMatchObject([{ provider: "company", name: "Company" }]);
    expect((await enter(account)).me).toMatchObject({ id: me.id });
    const other = await member("editor");
    await browser.call("POST", "/session", other.credentials);
    expect(await browser.goOn((await link(memberPassword)).body.location)).toBe(
      "/sign-in-failed?next=%2Fme",
    );
    expect(await browser.problem()).toBe("linkedElsewhere");
    expect((await events("providers"))[0]).toMatchObject({
      kind: "account_linked",
      actor: { id: me.id },
    });
  });

  it("enables a user again who has no password but an account of the company", async () => {
    const account = employee();
    const { me } = await enter(account);
    for (const status of ["disabled", "active"]) {
      const { body } = await owner.call("PATCH", `${API}/users/${me.id}`, { status });
      expect(body.status).toBe(status);
      expect((await enter(account)).problem).toBe(status === "disabled" ? "disabled" : null);
    }
  });
});

describe("an account that was refused", () => {
  it("leads to a page that leads on to what was asked for", async () => {
    const stranger = employee({ email: "stranger@elsewhere.example" });
    const { location } = await enter(stranger, "/t/a/b?c");
    expect(location).toBe("/sign-in-failed?next=%2Ft%2Fa%2Fb%3Fc");
  });

  it("is not sent again without a question: the provider asks for another one, once", async () => {
    const stranger = await enter(employee({ email: "stranger@elsewhere.example" }));
    expect(stranger.problem).toBe("domain");
    const account = employee();
    company.signsIn = account;
    expect(await stranger.browser.signIn("company")).toBe("/");
    const { body } = await stranger.browser.call("GET", "/session");
    expect(body.user).toMatchObject({ email: account.email });
    const next = new URL(await stranger.browser.begin("company"));
    expect(next.searchParams.get("prompt")).toBeNull();
  });
});

describe("sign-ins in two tabs of one browser", () => {
  it("end in both, whichever is the first", async () => {
    company.signsIn = employee();
    const browser = new CompanyBrowser(origin, publicUrl);
    const [first, second] = [
      await browser.begin("company", "/a"),
      await browser.begin("company", "/b"),
    ];
    expect(await browser.goOn(second)).toBe("/b");
    expect(await browser.goOn(first)).toBe("/a");
    expect((await browser.call("GET", "/session")).status).toBe(200);
  });
});

describe("a sign-in that begins at another address of this server", () => {
  it("goes on at the public one, where the provider hands the browser back, once", async () => {
    const browser = new CompanyBrowser(origin, publicUrl);
    const begun = await browser.get(
      `${origin}/sign-in/company?returnTo=${encodeURIComponent("/a?b")}`,
    );
    const sentOn = new URL(begun.location);
    expect([begun.status, sentOn.origin, sentOn.pathname]).toEqual([
      302,
      publicUrl,
      "/sign-in/company",
    ]);
    expect(sentOn.searchParams.get("returnTo")).toBe("/a?b");
    const at = await browser.comeBack(begun.location);
    expect(new URL(at).origin).toBe(company.issuer);
    company.signsIn = employee();
    expect(await browser.goOn(at)).toBe("/a?b");
  });
});

describe("what a provider says beside its signed token", () => {
  it("is not needed where it refuses to say anything: the token says all", async () => {
    company.refusesUserInfo = true;
    const account = employee();
    expect((await enter(account)).me).toMatchObject({ email: account.email });
    company.refusesUserInfo = false;
  });

  it("verifies no email of another place", async () => {
    // The token vouches for an email that it does not name; the user info names one, and says that it is not verified.
    company.forge = {
      claims: ({ email: _email, ...token }) => ({ ...token, email_verified: true }),
    };
    expect((await enter(employee({ email_verified: false }))).problem).toBe("unverified");
    company.forge = null;
  });
});

describe("groups", () => {
  const groups = {
    claim: "groups",
    roles: [
      { group: "ops", role: "admin" },
      { group: "desk", role: "editor" },
    ],
    otherwise: "viewer",
  };
  const roleOf = async (account: Account) => {
    const { me, problem } = await enter(account);
    return me?.role ?? problem;
  };

  it("give the first role that fits, at each sign-in, which nobody changes by hand", async () => {
    await configure({ groups, scopes: "openid profile email groups" });
    const account = employee({ groups: ["desk", "ops"] });
    const { me } = await enter(account);
    expect(me.role).toBe("admin");
    const user = await owner.call("GET", `${API}/users/${me.id}`);
    expect(user.body).toMatchObject({ roleProvider: "company" });
    const byHand = await owner.call("PATCH", `${API}/users/${me.id}`, { role: "viewer" });
    expect(byHand.body).toMatchObject({ status: 422, fields: { role: { rule: "provider" } } });
    expect(await roleOf({ ...account, groups: ["desk"] })).toBe("editor");
    expect(await roleOf({ ...account, groups: [] })).toBe("viewer");
    await configure({ groups: { ...groups, otherwise: "refuse" } });
    expect(await roleOf({ ...account, groups: "sales" })).toBe("groups");
    await configure({ groups: null });
    const freed = await owner.call("PATCH", `${API}/users/${me.id}`, { role: "editor" });
    expect(freed.body).toMatchObject({ role: "editor", roleProvider: null });
  });

  it("that are sent as a pointer are refused by a sentence that names it, never read as none", async () => {
    await configure({ groups, scopes: ["groups", "email"] });
    const account = employee({ _claim_names: { groups: "src1" }, _claim_sources: { src1: {} } });
    const { browser, me } = await enter(account);
    expect(me).toBeNull();
    const { body } = await browser.call("GET", "/sign-in-methods");
    expect(body.problem.message).toContain("_claim_names");
    expect(body.problem.message).toContain("“groups”");
    expect(await roleOf(employee({ groups: { not: "a list" } }))).toBe("badGroups");
    for (const hasgroups of [true, "true"]) {
      company.forge = { claims: (claims) => ({ ...claims, hasgroups }) };
      expect(await roleOf(employee())).toBe("tooManyGroups");
    }
    company.forge = null;
    await configure({ groups: null });
  });

  it("are not read as none where the user info, which may have them, is refused", async () => {
    await configure({ groups, scopes: ["groups", "email"] });
    company.refusesUserInfo = true;
    expect(await roleOf(employee({ groups: ["desk"] }))).toBe("editor");
    company.forge = { claims: ({ groups: _groups, ...claims }) => claims };
    expect(await roleOf(employee({ groups: ["desk"] }))).toBe("OAUTH_WWW_AUTHENTICATE_CHALLENGE");
    company.forge = null;
    company.refusesUserInfo = false;
    await configure({ groups: null });
  });

  it("never make an owner, nor change one", async () => {
    const bad = { ...groups, roles: [{ group: "ops", role: "owner" }] };
    const refused = await owner.call("PATCH", `${API}/identity-providers/company`, { groups: bad });
    expect(refused.body).toMatchObject({ fields: { groups: { rule: "owner" } } });
  });
});

describe("a token that is not right", () => {
  const now = () => Math.floor(Date.now() / 1_000);
  const problemWith = async (forge: CompanyProvider["forge"]) => {
    company.forge = forge;
    const { me, problem } = await enter(employee());
    company.forge = null;
    return me ? "signed in" : problem;
  };

  it.each<[string, string, NonNullable<CompanyProvider["forge"]>]>([
    [
      "with another nonce",
      "JWT_CLAIM_COMPARISON_FAILED",
      { claims: (token) => ({ ...token, nonce: "another" }) },
    ],
    ["without a nonce", "INVALID_RESPONSE", { claims: ({ nonce: _nonce, ...token }) => token }],
    [
      "that has expired",
      "JWT_TIMESTAMP_CHECK_FAILED",
      { claims: (token) => ({ ...token, exp: now() - 300 }) },
    ],
    [
      "for another client",
      "JWT_CLAIM_COMPARISON_FAILED",
      { claims: (token) => ({ ...token, aud: "another" }) },
    ],
    [
      "of another issuer",
      "JWT_CLAIM_COMPARISON_FAILED",
      { claims: (token) => ({ ...token, iss: "https://sso.example.com" }) },
    ],
    ["that is signed by a foreign key", "INVALID_RESPONSE", { key: "foreign" }],
  ])("%s signs nobody in", async (_what, reason, forge) => {
    expect(await problemWith(forge)).toBe(`OAUTH_${reason}`);
  });

  it("is accepted where only the clocks differ by less than a minute", async () => {
    const late = { claims: (token: Record<string, unknown>) => ({ ...token, exp: now() - 30 }) };
    expect(await problemWith(late)).toBe("signed in");
  });
});

describe("a session that began at a provider", () => {
  it("goes on while the provider is down, and ends at its age", async () => {
    const { browser } = await enter(employee());
    company.isDown = true;
    expect((await browser.call("GET", "/session")).status).toBe(200);
    const begun = await browser.get(`${origin}/sign-in/company?sentOn=1`);
    expect(begun.status).toBe(302);
    const saved = await owner.call("PATCH", `${API}/identity-providers/company`, {
      name: "Unread",
    });
    expect(saved.status).toBe(422);
    company.isDown = false;
    const { body } = await browser.call("GET", "/session");
    const hours = (Date.parse(body.expires) - Date.now()) / 3_600_000;
    expect(Math.round(hours)).toBe(12);
    const age =
      "update watchfloor.session set created_at = now() - interval '25 hours' where provider is not null";
    await program.query(age);
    await expect.poll(async () => (await browser.call("GET", "/session")).status).toBe(401);
  });

  it("proves again who its user is at the provider, by the time that it sends", async () => {
    const account = employee();
    const { browser } = await enter(account);
    await program.query("update watchfloor.session set proven_at = '-infinity'");
    const make = () => browser.call("POST", "/tokens", { name: "Sync" });
    expect((await make()).body.code).toBe("authentication_too_old");
    const prove = async (as: Account) => {
      company.signsIn = as;
      browser.forgetProviders();
      const { body } = await browser.call("POST", "/session/proof/company", { returnTo: "/me" });
      return browser.goOn(body.location);
    };
    expect(await prove(employee())).toBe("/sign-in-failed?next=%2Fme");
    expect(await browser.problem()).toBe("notMine");
    company.forge = { claims: ({ auth_time: _time, ...token }) => token };
    expect(await prove(account)).toBe("/sign-in-failed?next=%2Fme");
    expect(await browser.problem()).toBe("noTime");
    company.forge = { claims: (token) => ({ ...token, auth_time: Number(token.auth_time) - 600 }) };
    expect(await prove(account)).toBe("/sign-in-failed?next=%2Fme");
    expect(await browser.problem()).toBe("tooOld");
    company.forge = null;
    expect((await make()).status).toBe(401);
    expect(await prove(account)).toBe("/me");
    expect((await make()).status).toBe(201);
  });

  it("is not proven by signing in where the provider sends no time; a passkey may be added right then", async () => {
    const { browser } = await enter(employee());
    const make = () => browser.call("POST", "/tokens", { name: "Sync" });
    expect((await make()).body.code).toBe("authentication_too_old");
    const begin = () => browser.call("POST", "/me/passkeys/challenge", {});
    expect((await begin()).status).toBe(200);
    await program.query("update watchfloor.session set created_at = now() - interval '1 hour'");
    expect((await begin()).body.code).toBe("authentication_too_old");
  });

  it("says that it can't be proven at a provider that asks nobody again", async () => {
    const { browser, me } = await enter(employee());
    const confirms = async () =>
      (await browser.call("GET", "/session")).body.provider?.confirms ?? null;
    expect(await confirms()).toBe(true);
    const issuer = "update watchfloor.session set issuer = $1 where user_id = $2";
    await program.query(issuer, ["https://accounts.google.com", me.id]);
    await expect.poll(confirms).toBe(false);
  });

  it("signs out at the provider too", async () => {
    const { browser } = await enter(employee());
    const { body } = await browser.call("POST", "/session/end", {});
    const location = new URL(body.location);
    expect(location.origin).toBe(company.issuer);
    expect(location.searchParams.get("post_logout_redirect_uri")).toBe(`${publicUrl}/login`);
    expect((await browser.get(location.href)).status).toBe(200);
    expect((await browser.call("GET", "/session")).status).toBe(401);
  });

  it("signs out at the provider without its token where the address would be too long", async () => {
    const groups = Array.from({ length: 100 }, (_, index) => `a group of the company ${index}`);
    company.forge = { claims: (claims) => ({ ...claims, groups }) };
    const { browser } = await enter(employee());
    company.forge = null;
    const { body } = await browser.call("POST", "/session/end", {});
    const location = new URL(body.location);
    expect(location.search.length).toBeLessThan(2_048);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      client_id: clientId,
      post_logout_redirect_uri: `${publicUrl}/login`,
    });
    expect((await browser.get(location.href)).status).toBe(200);
  });

  it("lets API tokens of its user pause when they have not signed in for 30 days", async () => {
    const account = employee();
    const { browser, me } = await enter(account);
    await program.query("update watchfloor.session set proven_at = now()");
    const { body } = await browser.call("POST", "/tokens", { name: "Sync" });
    const use = async () => (await tokenCaller(origin)(body.token, "GET", `${API}/session`)).status;
    expect(await use()).toBe(200);
    const age = `update watchfloor."user" set last_seen = now() - interval '31 days' where id = $1`;
    await program.query(age, [me.id]);
    await expect.poll(use).toBe(401);
    const { body: listed } = await owner.call("GET", `${API}/tokens/${body.id}`);
    expect(listed.state).toBe("paused");
    await enter(account);
    await expect.poll(use).toBe(200);
    const { token } = await createToken(owner);
    await program.query(age, [ownerId]);
    expect((await tokenCaller(origin)(token, "GET", `${API}/session`)).status).toBe(200);
  });
});

describe("a role", () => {
  const signIn = (credentials: object) =>
    apiClient(origin).call("POST", `${API}/session`, credentials);

  it("signs in without a password or passkey, but for the break-glass owner, whose use is an event", async () => {
    const editor = await member("editor");
    const { credentials } = editor;
    const noBreakGlass = await setPolicy({ providerOnly: ["editor", "owner"] });
    expect(noBreakGlass.body).toMatchObject({ fields: { breakGlass: { rule: "required" } } });
    const policy = { providerOnly: ["editor", "owner"], breakGlass: ownerId };
    expect((await setPolicy(policy)).status).toBe(200);
    expect((await signIn(credentials)).body).toMatchObject({ status: 403, right: "password" });
    expect((await signIn({ ...credentials, password: "a wrong one" })).status).toBe(401);
    expect((await signIn(ownerCredentials)).status).toBe(200);
    expect((await events("providers"))[0]).toMatchObject({
      kind: "break_glass_used",
      actor: { id: ownerId },
    });
    const disable = await owner.call("PATCH", `${API}/users/${ownerId}`, { status: "disabled" });
    expect(disable.status).toBe(422);
    const proof = await editor.call("POST", `${API}/session/proof`, { password: memberPassword });
    expect(proof.status).toBe(403);
    const invited = await invite("editor", employee().email);
    const accept = await apiClient(origin).call("POST", `${API}/invitations/${invited.token}`, {
      password: "nine lanterns on a wire",
    });
    expect(accept.body).toMatchObject({ status: 403, right: "password" });
    expect((await setPolicy({})).status).toBe(200);
    expect((await signIn(credentials)).status).toBe(200);
  });

  it("needs a second factor, which the provider may confirm", async () => {
    const viewer = await member("viewer");
    const account = employee();
    await configure({ secondFactor: { amr: ["mfa"], acr: ["gold"] } });
    const { body } = await setPolicy({ secondFactor: ["viewer"] });
    expect(body.withoutFactor).toBeGreaterThan(0);
    const lacks = async (as: Account) => (await enter(as)).body.lacksFactor === true;
    expect((await signIn(viewer.credentials)).body.lacksFactor).toBe(true);
    expect(await lacks(account)).toBe(true);
    expect(await lacks({ ...account, amr: ["pwd"] })).toBe(true);
    expect(await lacks({ ...account, amr: ["pwd", "mfa"] })).toBe(false);
    expect(await lacks(employee({ acr: "gold" }))).toBe(false);
    await setPolicy({});
    await configure({ secondFactor: null });
  });
});
