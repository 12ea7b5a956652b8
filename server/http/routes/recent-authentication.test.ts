import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SecurityEvent } from "../../../shared/protocol/security-events.ts";
import { type ApiClient, apiClient, signedInClient } from "../testing/api-client.ts";
import { Authenticator } from "../testing/authenticator.ts";
import { memberPassword as password, serveTests } from "../testing/test-server.ts";
import { createToken, tokenCaller } from "../testing/token-calls.ts";

const API = "/api/v1";
const tooOld = { status: 401, code: "authentication_too_old" };

const { server, owner, member } = await serveTests("service-desk", {
  WATCHFLOOR_WEBHOOK_ALLOW_PRIVATE: "true",
  RECENT_AUTHENTICATION_MS: "300000",
});
// a host that is a name: no passkey is made for an address
const site = server.origin.replace("127.0.0.1", "localhost");

let program: Client;
beforeAll(async () => {
  program = new Client({ connectionString: server.databaseUrl });
  await program.connect();
});
afterAll(() => program.end());

/** As if everybody had signed in ten minutes ago. */
const letTimePass = () =>
  program.query("update watchfloor.session set proven_at = now() - interval '10 minutes'");
const prove = (me: ApiClient, proof: object) => me.call("POST", `${API}/session/proof`, proof);
const hook = { name: "Hook", url: "http://127.0.0.1:9", table: "incidents", events: ["created"] };

async function pairingCode(): Promise<string> {
  const { body } = await apiClient(server.origin).call("POST", `${API}/display/pairing`);
  return String(body.code);
}

describe("what outlives a session", () => {
  it("is made right after signing in, and later once the user has proved again who they are", async () => {
    const me = await member("admin");
    const { body: made } = await me.call("POST", `${API}/webhooks`, hook);
    const { body: boards } = await me.call("GET", `${API}/wallboards`);
    const [board] = boards.items as { id: string }[];
    const pair = { name: "Wall", boards: board ? [board.id] : ["none"] };
    const paired = await me.call("POST", `${API}/displays`, { ...pair, code: await pairingCode() });
    const calls: [string, string, object][] = [
      ["POST", "/tokens", { name: "Sync" }],
      ["POST", "/webhooks", { ...hook, name: "Another" }],
      ["PATCH", `/webhooks/${made.id}`, { url: "http://127.0.0.1:9/other" }],
      ["POST", `/webhooks/${made.id}/rotate-secret`, {}],
      ["POST", "/displays", { ...pair, name: "Other", code: await pairingCode() }],
      ["POST", `/displays/${paired.body.id ?? "none"}/pair`, { code: await pairingCode() }],
    ];
    await letTimePass();
    for (const [method, path, body] of calls) {
      expect((await me.call(method, API + path, body)).body, path).toMatchObject(tooOld);
    }
    // The session goes on, and what it made is used without another proof.
    expect((await me.call("GET", `${API}/webhooks/${made.id}`)).status).toBe(200);
    expect((await me.call("DELETE", `${API}/webhooks/${made.id}/none`)).status).toBe(404);
    expect((await prove(me, { password })).status).toBe(204);
    for (const [method, path, body] of calls) {
      expect((await me.call(method, API + path, body)).status, path).not.toBe(401);
    }
  });

  it("is not made by a wrong password, which is counted and recorded", async () => {
    const me = await member("editor");
    await letTimePass();
    const wrong = await prove(me, { password: "not my password" });
    expect(wrong.body).toMatchObject({ status: 422, fields: { current: { rule: "wrong" } } });
    expect((await me.call("POST", `${API}/tokens`, { name: "Sync" })).body).toMatchObject(tooOld);
    const { body } = await owner.call("GET", `${API}/security-events?group=failures`);
    const [event] = body.items as SecurityEvent[];
    expect(event).toMatchObject({ kind: "proof_failed", actor: { id: me.id } });
    for (let more = 1; more < 10; more += 1) await prove(me, { password: "a wrong guess" });
    expect((await prove(me, { password })).body).toMatchObject({ status: 429 });
  });

  it("is made after a passkey of the user, once for a challenge, not after a passkey of another", async () => {
    const atSite = async () => signedInClient(site, (await member("editor")).credentials);
    const [me, other] = [await atSite(), await atSite()];
    const withPasskey = async (of: ApiClient) => {
      const device = new Authenticator(site);
      const begin = await of.call("POST", `${API}/me/passkeys/challenge`, { password });
      const response = device.register({ challenge: String(begin.body.challenge) });
      const added = await of.call("POST", `${API}/me/passkeys`, { name: "Key", response });
      expect(added.status).toBe(201);
      return device;
    };
    const [mine, theirs] = [await withPasskey(me), await withPasskey(other)];
    await letTimePass();
    const answer = async (device: Authenticator, counter: number) => {
      const { body } = await me.call("POST", `${API}/session/passkey-challenge`);
      return { response: device.signIn({ challenge: String(body.challenge), counter }) };
    };
    expect((await prove(me, await answer(theirs, 7))).status).toBe(422);
    expect((await me.call("POST", `${API}/tokens`, { name: "Sync" })).body).toMatchObject(tooOld);
    const proof = await answer(mine, 7);
    expect((await prove(me, proof)).status).toBe(204);
    expect((await me.call("POST", `${API}/tokens`, { name: "Sync" })).status).toBe(201);
    await letTimePass();
    expect((await prove(me, proof)).status).toBe(422);
  });

  it("can't be made by an API token that proves a password", async () => {
    const { token } = await createToken(await member("editor"));
    const call = tokenCaller(server.origin);
    const proof = await call(token, "POST", `${API}/session/proof`, { password });
    expect(proof.body).toMatchObject({ status: 403, right: "session" });
  });
});

describe("API tokens and webhooks", () => {
  const states = async (me: ApiClient) => {
    const tokens = await me.call("GET", `${API}/tokens`);
    const hooks = await owner.call("GET", `${API}/webhooks`);
    return {
      tokens: tokens.body.total,
      hooks: (hooks.body.items as { name: string; state: string }[])
        .filter(({ name }) => name === hookOf.name)
        .map(({ state }) => state),
    };
  };
  const hookOf = { ...hook, name: "Mine" };
  const next = "eight kettles by the lake";

  async function withBoth() {
    const me = await member("admin");
    const { token } = await createToken(me);
    const { body } = await me.call("POST", `${API}/webhooks`, hookOf);
    return { me, token, remove: () => owner.call("DELETE", `${API}/webhooks/${body.id}`) };
  }
  const statusOf = async (token: string) =>
    (await tokenCaller(server.origin)(token, "GET", `${API}/session`)).status;

  it.each([
    [undefined, 200, "active"],
    [false, 200, "active"],
    [true, 401, "paused"],
  ])(
    "with `revoke: %s` answer %i and are %s after a change of the password",
    async (revoke, status, state) => {
      const { me, token, remove } = await withBoth();
      const body = { current: password, password: next, ...(revoke !== undefined && { revoke }) };
      expect((await me.call("PUT", `${API}/me/password`, body)).status).toBe(204);
      expect(await statusOf(token)).toBe(status);
      expect((await states(me)).hooks).toEqual([state]);
      await remove();
    },
  );

  it.each([
    [undefined, 401, "paused"],
    [true, 401, "paused"],
    [false, 200, "active"],
  ])(
    "with `revoke: %s` answer %i and are %s after a reset of the password",
    async (revoke, status, state) => {
      const { me, token, remove } = await withBoth();
      const { body } = await owner.call("POST", `${API}/users/${me.id}/password-reset`);
      const path = `${API}/password-resets/${new URL(String(body.link)).hash.slice(1)}`;
      const guest = apiClient(server.origin);
      expect((await guest.call("GET", path)).body).toMatchObject({ tokens: 1, webhooks: 1 });
      const call = { password: next, ...(revoke !== undefined && { revoke }) };
      expect((await guest.call("POST", path, call)).status).toBe(204);
      expect(await statusOf(token)).toBe(status);
      expect((await states(owner)).hooks).toEqual([state]);
      await remove();
    },
  );

  it("are revoked and paused with a disabled account, and stay so once it is enabled", async () => {
    const { me, token, remove } = await withBoth();
    const change = (status: string) => owner.call("PATCH", `${API}/users/${me.id}`, { status });
    const ended = { tokens: 1, webhooks: 1 };
    expect((await change("disabled")).body).toMatchObject({ ended });
    expect((await change("active")).body).toMatchObject({ ended });
    expect(await statusOf(token)).toBe(401);
    expect((await states(owner)).hooks).toEqual(["paused"]);
    await remove();
  });

  it.each([
    ["their user", "", 200, "active"],
    ["their user", "?revoke=true", 401, "paused"],
    ["an admin", "", 200, "active"],
    ["an admin", "?revoke=true", 401, "paused"],
  ])(
    "answer and send as they did when %s signs out everywhere%s: %i, %s",
    async (who, query, ...now) => {
      const { me, token, remove } = await withBoth();
      await signedInClient(server.origin, me.credentials);
      const { body } =
        who === "an admin"
          ? await owner.call("DELETE", `${API}/users/${me.id}/sessions${query}`)
          : await me.call("DELETE", `${API}/me/sessions${query}`);
      const count = query === "" ? 0 : 1;
      expect(body).toMatchObject({ tokens: count, webhooks: count });
      expect(body.ended).toBeGreaterThan(0);
      expect([await statusOf(token), ...(await states(owner)).hooks]).toEqual(now);
      await remove();
    },
  );
});

describe("an API token", () => {
  it("expires after 90 days, unless it says otherwise", async () => {
    const me = await member();
    const days = ({ expiresAt }: { expiresAt: string | null }) =>
      expiresAt && Math.round((Date.parse(expiresAt) - Date.now()) / 86_400_000);
    expect(days(await createToken(me))).toBe(90);
    expect(days(await createToken(me, { expiresAt: null }))).toBeNull();
  });
});
