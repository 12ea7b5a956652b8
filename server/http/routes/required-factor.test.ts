import { Secret, TOTP } from "otpauth";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CompanyBrowser } from "../../../e2e/harness/company/company-browser.ts";
import {
  type CompanyProvider,
  clientId,
  clientSecret,
  startCompanyProvider,
} from "../../../e2e/harness/company/company-provider.ts";
import { apiClient } from "../testing/api-client.ts";
import { Authenticator } from "../testing/authenticator.ts";
import { memberPassword as password, serveTests } from "../testing/test-server.ts";

/** A role that requires a second factor, and sessions that have not shown it: they serve to show or add one, and for nothing else. */

const API = "/api/v1";
const publicUrl = "http://desk.localhost";
const { server, owner, member } = await serveTests("service-desk", {
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
  company = await startCompanyProvider({ publicUrl, origin, ids: ["company"] });
  const provider = { id: "company", name: "Company", issuer: company.issuer };
  const { status } = await owner.call("POST", `${API}/identity-providers`, {
    ...{ ...provider, clientId, clientSecret, createUsers: { role: "editor" } },
    secondFactor: { amr: ["mfa"] },
  });
  expect(status).toBe(201);
  const policy = { providerOnly: [], secondFactor: ["editor"], breakGlass: null };
  expect((await owner.call("PUT", `${API}/sign-in-policy`, policy)).status).toBe(200);
});
afterAll(async () => {
  await company[Symbol.asyncDispose]();
  await program.end();
});

const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
/** As if its last code had been used a while ago. */
const forgetUse = (user: string) =>
  program.query("update watchfloor.totp set last_step = 0 where user_id = $1", [user]);

/** Somebody of the role, who has typed their password. */
async function signedIn() {
  const { credentials, id } = await member("editor");
  const client = apiClient(origin);
  const { status, body } = await client.call("POST", `${API}/session`, credentials);
  expect({ status, lacksFactor: body.lacksFactor }).toEqual({ status: 200, lacksFactor: true });
  return { ...client, credentials, id };
}

const incidents = `${API}/tables/incidents/records`;
const secondFactorMissing = { status: 403, right: "secondFactor" };

it("a session without its factor reads and writes nothing, and knows no rights", async () => {
  const me = await signedIn();
  const { body } = await me.call("GET", `${API}/session`);
  expect(body.abilities).toEqual({ rights: [], tables: {} });
  for (const [method, path, call] of [
    ["GET", `${API}/model`],
    ["GET", incidents],
    ["POST", `${API}/mutations`, { id: "m1", ops: [] }],
    ["GET", `${API}/me/sessions`],
    ["GET", `${API}/inbox`],
    ["PUT", `${API}/me/password`, { current: password, password: "eleven kettles in a row" }],
    ["DELETE", `${API}/me/totp`, { password }],
    ["POST", `${API}/me/linked-accounts`, { provider: "company", password }],
    ["POST", `${API}/tokens`, { name: "Sync" }],
  ] as const) {
    expect((await me.call(method, path, call)).body, path).toMatchObject(secondFactorMissing);
  }
  // What the handshake of a socket, and all that runs long, asks.
  expect(await server.auth.authenticate(String(me.token()))).toBeNull();
  expect((await me.call("DELETE", `${API}/session`)).status).toBe(204);
  expect((await me.call("GET", `${API}/session`)).status).toBe(401);
});

it("adding an app completes it, without the password typed again; the next sign-in asks for a code", async () => {
  const me = await signedIn();
  const begun = await me.call("POST", `${API}/me/totp`, {});
  const secret = String(begun.body.secret);
  const confirmed = await me.call("PUT", `${API}/me/totp`, { code: codeOf(secret) });
  expect(confirmed.body.recoveryCodes).toHaveLength(10);
  expect((await me.call("GET", incidents)).status).toBe(200);
  expect((await me.call("GET", `${API}/session`)).body.lacksFactor).toBeUndefined();
  // Once it is complete, changes need the password as ever.
  expect((await me.call("POST", `${API}/me/totp`, {})).status).toBe(422);
  const again = await apiClient(origin).call("POST", `${API}/session`, me.credentials);
  expect(again.body).toMatchObject({ code: "second_factor_required" });
});

it("who signed in some minutes ago proves it again before they add one", async () => {
  const me = await signedIn();
  await program.query("update watchfloor.session set proven_at = '-infinity' where user_id = $1", [
    me.id,
  ]);
  const begin = () => me.call("POST", `${API}/me/totp`, {});
  expect((await begin()).body.code).toBe("authentication_too_old");
  expect((await me.call("POST", `${API}/session/proof`, { password })).status).toBe(204);
  expect((await begin()).status).toBe(200);
});

it("knowing the password adds no factor beside one that the user has added meanwhile", async () => {
  const me = await signedIn();
  const thief = apiClient(origin);
  await thief.call("POST", `${API}/session`, me.credentials);
  const { body } = await thief.call("POST", `${API}/me/passkeys/challenge`, { password });
  const secret = String((await me.call("POST", `${API}/me/totp`, {})).body.secret);
  expect((await me.call("PUT", `${API}/me/totp`, { code: codeOf(secret) })).status).toBe(200);
  const response = new Authenticator(publicUrl).register({ challenge: String(body.challenge) });
  const added = await thief.call("POST", `${API}/me/passkeys`, { name: "Mine", response });
  expect(added.body).toMatchObject(secondFactorMissing);
  expect((await thief.call("GET", incidents)).status).toBe(403);
  // It is completed by a code alone, which is counted like those of a sign-in.
  const show = (code: string) => thief.call("POST", `${API}/session/factor`, { code });
  expect((await show("000000")).body.code).toBe("second_factor_wrong");
  await forgetUse(me.id);
  expect((await show(codeOf(secret))).status).toBe(204);
  expect((await thief.call("GET", incidents)).status).toBe(200);
});

it("codes are not guessed without end by proving the password in between", async () => {
  const me = await signedIn();
  const thief = apiClient(origin);
  await thief.call("POST", `${API}/session`, me.credentials);
  const { secret } = (await me.call("POST", `${API}/me/totp`, {})).body;
  expect((await me.call("PUT", `${API}/me/totp`, { code: codeOf(String(secret)) })).status).toBe(
    200,
  );
  const answers = new Set<unknown>();
  for (let guesses = 0; guesses < 12; guesses += 1) {
    await thief.call("POST", `${API}/session/proof`, { password });
    const { body } = await thief.call("POST", `${API}/session/factor`, { code: "x" });
    answers.add(body.code);
  }
  expect([...answers]).toEqual(["second_factor_wrong", "rate_limited"]);
});

it("an invited user, too, adds one first", async () => {
  const email = "invited@example.com";
  const { body } = await owner.call("POST", `${API}/users`, { email, name: "I", role: "editor" });
  const token = new URL(String(body.invitation)).hash.slice(1);
  const invited = apiClient(origin);
  const call = { password: "nine lanterns on a wire" };
  const accepted = await invited.call("POST", `${API}/invitations/${token}`, call);
  expect(accepted.body.lacksFactor).toBe(true);
  expect((await invited.call("GET", incidents)).body).toMatchObject(secondFactorMissing);
});

it("after a company sign-in that confirms none, a passkey is added, and shown at the next one", async () => {
  company.signsIn = { sub: "e-1", email: "e1@example.com", email_verified: true, name: "E" };
  const enter = async () => {
    const browser = new CompanyBrowser(origin, publicUrl);
    await browser.signIn("company");
    expect((await browser.call("GET", "/session")).body.lacksFactor).toBe(true);
    return browser;
  };
  const reads = async (browser: CompanyBrowser) =>
    (await browser.call("GET", "/tables/incidents/records")).status;
  const device = new Authenticator(publicUrl);
  const first = await enter();
  expect((await first.call("POST", "/me/totp", {})).status).toBe(422);
  const { body } = await first.call("POST", "/me/passkeys/challenge", {});
  const response = device.register({ challenge: body.challenge });
  expect((await first.call("POST", "/me/passkeys", { name: "Key", response })).status).toBe(201);
  expect(await reads(first)).toBe(200);

  const second = await enter();
  expect(await reads(second)).toBe(403);
  const ask = async () => (await second.call("POST", "/session/passkey-challenge")).body.challenge;
  const stranger = new Authenticator(publicUrl);
  const wrong = { response: stranger.signIn({ challenge: await ask() }) };
  expect((await second.call("POST", "/session/factor", wrong)).status).toBe(401);
  const right = { response: device.signIn({ challenge: await ask() }) };
  expect((await second.call("POST", "/session/factor", right)).status).toBe(204);
  expect(await reads(second)).toBe(200);
});
