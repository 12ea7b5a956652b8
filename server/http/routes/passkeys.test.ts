import { request } from "node:http";
import { json } from "node:stream/consumers";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiClient, apiClient, signedInClient } from "../testing/api-client.ts";
import { Authenticator, type Forgery } from "../testing/authenticator.ts";
import { inFlight, type Statement } from "../testing/in-flight.ts";
import { ownerCredentials, startTestServer, type TestServer } from "../testing/test-server.ts";

/** Passkeys against an attacker who can make any answer, but lacks the user's device. */

const API = "/api/v1";
const password = "seven walnuts on a shelf";

let server: TestServer;
let site: string;
let owner: ApiClient;
let program: Client;
let watcher: Client;
let made = 0;
/** One user with a passkey, and one without. */
let ida: Awaited<ReturnType<typeof withPasskey>>;
let kim: Awaited<ReturnType<typeof member>>;

beforeAll(async () => {
  server = await startTestServer();
  // a host that is a name: no passkey is made for an address
  site = server.origin.replace("127.0.0.1", "localhost");
  await server.owner();
  owner = await signedInClient(site, ownerCredentials);
  program = new Client({ connectionString: server.databaseUrl });
  watcher = new Client({ connectionString: server.databaseUrl });
  await Promise.all([program.connect(), watcher.connect()]);
  [ida, kim] = [await withPasskey(), await member()];
});
afterAll(async () => {
  await Promise.all([program.end(), watcher.end()]);
  await server.close();
});

async function member() {
  made += 1;
  const credentials = { email: `k${made}@example.com`, password };
  const call = { ...credentials, name: "Kay", role: "editor" };
  const { body } = await owner.call("POST", `${API}/users`, call);
  return { ...(await signedInClient(site, credentials)), id: String(body.id), credentials };
}
type Member = Awaited<ReturnType<typeof member>>;

async function toMake(me: Member): Promise<string> {
  const { body } = await me.call("POST", `${API}/me/passkeys/challenge`, { password });
  return String(body.challenge);
}
const storePasskey = (me: Member, response: object) =>
  me.call("POST", `${API}/me/passkeys`, { name: "Key", response });

async function withPasskey() {
  const me = await member();
  const device = new Authenticator(site);
  const added = await storePasskey(
    me,
    device.register({ challenge: await toMake(me), counter: 5 }),
  );
  expect(added.status).toBe(201);
  return { ...me, device };
}

const signInChallenge = async () =>
  String((await apiClient(site).call("POST", `${API}/session/passkey-challenge`)).body.challenge);
const enter = (response: object, headers = {}) =>
  apiClient(site).call("POST", `${API}/session/passkey`, { response }, headers);

describe("a passkey at sign-in", () => {
  it("signs its user in, once for a challenge, and only with an increasing counter", async () => {
    const { device, id } = await withPasskey();
    const response = device.signIn({ challenge: await signInChallenge(), counter: 6 });
    const answer = await enter(response);
    expect(answer.body).toMatchObject({ user: { id } });
    expect((await enter(response)).status).toBe(401);
    for (const [counter, status] of [
      [6, 401],
      [3, 401],
      [0, 401],
      [7, 200],
    ] as const) {
      const next = await enter(device.signIn({ challenge: await signInChallenge(), counter }));
      expect([counter, next.status]).toEqual([counter, status]);
    }
  });

  it("signs in once if one answer comes three times at once", async () => {
    const { device } = await withPasskey();
    const response = device.signIn({ challenge: await signInChallenge(), counter: 6 });
    const answers = await Promise.all([1, 2, 3].map(() => enter(response)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  const outsider = new Authenticator("http://localhost");
  let counter = 5;
  it.each<[string, () => Forgery | Promise<Forgery>]>([
    ["a challenge that nobody gave", () => ({ challenge: "QUFBQQ" })],
    ["another site's page", () => ({ origin: "http://elsewhere.example" })],
    ["another port of the host", () => ({ origin: `${site}1` })],
    ["another host's device", () => ({ host: "elsewhere.example" })],
    ["a person who is not there", () => ({ flags: 0x04 })],
    ["a person who did not show who they are", () => ({ flags: 0x01 })],
    ["an answer to making one", () => ({ type: "webauthn.create" })],
    ["somebody else's key under that id", () => ({ key: outsider.key })],
    ["an id that is none", () => ({ id: "__proto__" })],
    ["a challenge for making one", async () => ({ challenge: await toMake(kim) })],
  ])("signs nobody in by %s", async (_what, forge) => {
    counter += 1;
    const forged = { challenge: await signInChallenge(), counter, ...(await forge()) };
    const { body } = await enter(ida.device.signIn(forged));
    expect(body).toMatchObject({ status: 401, code: "unauthenticated" });
    const validAnswer = ida.device.signIn({ challenge: await signInChallenge(), counter });
    expect((await enter(validAnswer)).status).toBe(200);
  });

  it("signs nobody in for a host that is not the page's", async () => {
    const there = new Authenticator("http://elsewhere.example", ida.device.id);
    const challenge = await signInChallenge();
    const response = there.signIn({ challenge, counter: 99, key: ida.device.key });
    const host = { "x-forwarded-host": "elsewhere.example", host: "elsewhere.example" };
    expect((await enter(response, host)).status).toBe(401);
  });

  it("signs nobody in who is disabled, or whose passkey was removed", async () => {
    const [removedUser, taken, disabled] = [
      await withPasskey(),
      await withPasskey(),
      await withPasskey(),
    ];
    const path = `${API}/me/passkeys/${removedUser.device.id}`;
    expect((await removedUser.call("DELETE", path, { password })).status).toBe(204);
    // The recovery codes go with the last factor.
    const left = await removedUser.call("GET", `${API}/me/factors`);
    expect(left.body).toMatchObject({ passkeys: [], recoveryCodes: 0 });
    await owner.call("DELETE", `${API}/users/${taken.id}/factors`);
    await owner.call("PATCH", `${API}/users/${disabled.id}`, { status: "disabled" });
    for (const { device } of [removedUser, taken, disabled]) {
      const answer = await enter(device.signIn({ challenge: await signInChallenge(), counter: 6 }));
      expect(answer.body).toMatchObject({ status: 401, code: "unauthenticated" });
    }
  });

  it("signs nobody in whose passkey is removed at that moment", async () => {
    const { device, id } = await withPasskey();
    const response = device.signIn({ challenge: await signInChallenge(), counter: 6 });
    const held = [`select 1 from watchfloor."user" where id = $1 for update`, [id]] as Statement;
    const late = await inFlight({ program, watcher }, [held], () => enter(response), [
      ["delete from watchfloor.passkey where user_id = $1", [id]],
      ["delete from watchfloor.session where user_id = $1", [id]],
    ]);
    expect(late.body).toMatchObject({ status: 401, code: "unauthenticated" });
  });

  it("signs nobody in, nor by the password that is replaced at that moment", async () => {
    const { id, credentials } = await member();
    const held = [`select 1 from watchfloor."user" where id = $1 for update`, [id]] as Statement;
    const late = await inFlight(
      { program, watcher },
      [held],
      () => apiClient(site).call("POST", `${API}/session`, credentials),
      [[`update watchfloor."user" set password_hash = 'another' where id = $1`, [id]]],
    );
    expect(late.body).toMatchObject({ status: 401, code: "unauthenticated" });
  });

  it("accepts no challenge that is older than five minutes", async () => {
    const challenge = await signInChallenge();
    const age = "update watchfloor.passkey_challenge set created_at = now() - interval '301 s'";
    await program.query(age);
    expect((await enter(ida.device.signIn({ challenge, counter: 99 }))).status).toBe(401);
  });
});

describe("a new passkey", () => {
  it.each<[string, () => Forgery | Promise<Forgery>]>([
    ["for another person's challenge", async () => ({ challenge: await toMake(ida) })],
    ["for a sign-in challenge", async () => ({ challenge: await signInChallenge() })],
    ["on another site's page", () => ({ origin: "http://elsewhere.example" })],
    ["for another host", () => ({ host: "elsewhere.example" })],
    ["without showing who one is", () => ({ flags: 0x01 })],
    ["as a sign-in answer", () => ({ type: "webauthn.get" })],
  ])("is not stored %s", async (_what, forge) => {
    const forged = { challenge: await toMake(kim), ...(await forge()) };
    const { body } = await storePasskey(kim, new Authenticator(site).register(forged));
    expect(body).toMatchObject({ status: 422, fields: { passkey: { rule: "wrong" } } });
    expect((await kim.call("GET", `${API}/me/factors`)).body.passkeys).toEqual([]);
  });

  it("is stored once for a challenge, and never replaces another's", async () => {
    const challenge = await toMake(kim);
    const attacker = new Authenticator(site, ida.device.id);
    expect((await storePasskey(kim, attacker.register({ challenge }))).body.code).toBe("duplicate");
    const repeated = await storePasskey(kim, new Authenticator(site).register({ challenge }));
    expect(repeated.status).toBe(422);
    const theirs = await enter(
      attacker.signIn({ challenge: await signInChallenge(), counter: 99 }),
    );
    expect(theirs.status).toBe(401);
  });

  it("is one of twenty, also by challenges that were requested before", async () => {
    const me = await member();
    await program.query(
      `insert into watchfloor.passkey (id, user_id, name, site, public_key, counter)
       select $1 || n, $1, 'Key', 'localhost', '', 0 from generate_series(1, 18) n`,
      [me.id],
    );
    const challenges = [await toMake(me), await toMake(me), await toMake(me)];
    const answers = await Promise.all(
      challenges.map((challenge) =>
        storePasskey(me, new Authenticator(site).register({ challenge })),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 413]);
  });

  it("is removed by nobody else, and by the user with the password only", async () => {
    const path = `${API}/me/passkeys/${ida.device.id}`;
    expect((await kim.call("DELETE", path, { password })).status).toBe(404);
    expect((await ida.call("DELETE", path, { password: "not it" })).status).toBe(422);
    expect((await ida.call("DELETE", path, {})).status).toBe(422);
    expect((await ida.call("GET", `${API}/me/factors`)).body.passkeys).toHaveLength(1);
  });
});

describe("the origin of passkeys", () => {
  /** A request with another Host than its address. */
  async function challenge(origin: string, host: string) {
    const path = `${origin}${API}/session/passkey-challenge`;
    const answer = Promise.withResolvers<{ code?: string; right?: string; rpId?: string }>();
    const sent = request(path, { method: "POST", headers: { host } }, (response) => {
      json(response).then((body) => answer.resolve(body as object), answer.reject);
    });
    sent.on("error", answer.reject).end();
    return answer.promise;
  }

  it("is never taken from a request, except on this machine and at the port of the server", async () => {
    expect(await challenge(server.origin, "desk.example.com")).toMatchObject({
      code: "forbidden",
      right: "passkeys",
    });
    const { port } = new URL(server.origin);
    const here = { rpId: "localhost" };
    expect(await challenge(server.origin, `localhost:${port}`)).toMatchObject(here);
    // What another program of this machine passes on, which browsers take for the same site.
    expect(await challenge(server.origin, "localhost:1")).toMatchObject({ right: "passkeys" });
  });

  it("is the public address if that is set, whatever the request says", async () => {
    const own = await startTestServer({ PUBLIC_URL: "https://desk.example.com" });
    expect(await challenge(own.origin, "evil.example.com")).toMatchObject({
      rpId: "desk.example.com",
    });
    await own.close();
  });
});
