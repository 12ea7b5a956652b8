import { describe, expect, it } from "vitest";
import { type ApiClient, apiClient, signedInClient } from "../testing/api-client.ts";
import {
  memberPassword as first,
  ownerCredentials,
  serveTests,
  startTestServer,
} from "../testing/test-server.ts";

const SESSION = "/api/v1/session";
const USERS = "/api/v1/users";
const MINE = "/api/v1/me/sessions";
const PASSWORD = "/api/v1/me/password";
const second = "eight kettles by the lake";

// A wait that no slow machine outlasts.
const { server, owner, member } = await serveTests("empty", {
  SIGN_IN_FIRST_WAIT_MS: "60000",
});

let made = 0;
const items = (answer: { body: Record<string, unknown> }) =>
  answer.body.items as { id: string; current: boolean; userAgent: string; ip: string }[];
const statusOf = async (client: ApiClient) => (await client.call("GET", SESSION)).status;

describe("the user's own sessions", () => {
  it("are listed, the current one marked, without credentials", async () => {
    const me = await member();
    const other = apiClient(server.origin);
    await other.call("POST", SESSION, me.credentials, { "user-agent": "Elsewhere 1.0" });
    const list = await me.call("GET", MINE);
    expect(items(list).map(({ current, userAgent }) => current || userAgent)).toEqual(
      expect.arrayContaining([true, "Elsewhere 1.0"]),
    );
    expect(list.body.total).toBe(2);
    expect(items(list)[0]?.ip).toMatch(/127\.0\.0\.1/);
    expect(JSON.stringify(list.body)).not.toContain(me.token());
  });

  it("end one at a time, and all others at once", async () => {
    const me = await member();
    const [phone, laptop, tablet] = await Promise.all(
      [1, 2, 3].map(() => signedInClient(server.origin, me.credentials)),
    );
    const phoneId = items(await (phone as ApiClient).call("GET", MINE)).find((s) => s.current)?.id;
    expect((await me.call("DELETE", `${MINE}/${phoneId}`)).status).toBe(204);
    expect((await (phone as ApiClient).call("GET", SESSION)).body.code).toBe("session_ended");
    expect(await statusOf(laptop as ApiClient)).toBe(200);
    expect((await me.call("DELETE", MINE)).body).toEqual({ ended: 2, tokens: 0, webhooks: 0 });
    expect(await statusOf(laptop as ApiClient)).toBe(401);
    expect(await statusOf(tablet as ApiClient)).toBe(401);
    expect(await statusOf(me)).toBe(200);
  });

  it("are nobody else's: another user's session is not found", async () => {
    const me = await member();
    const other = await member();
    const id = items(await other.call("GET", MINE))[0]?.id;
    expect((await me.call("DELETE", `${MINE}/${id}`)).status).toBe(404);
    expect(await statusOf(other)).toBe(200);
  });
});

describe("another user's sessions", () => {
  it("are listed and ended by users who manage users, and by nobody with fewer rights", async () => {
    const me = await member();
    const path = `${USERS}/${me.id}/sessions`;
    const [session] = items(await owner.call("GET", path));
    expect(session?.current).toBe(false);
    const admin = await member("admin");
    const owners = items(await owner.call("GET", MINE))[0]?.id;
    const ownerId = (await owner.call("GET", SESSION)).body.user as { id: string };
    for (const [method, target] of [
      ["GET", `${USERS}/${ownerId.id}/sessions`],
      ["DELETE", `${USERS}/${ownerId.id}/sessions`],
      ["DELETE", `${USERS}/${ownerId.id}/sessions/${owners}`],
    ] as const) {
      expect((await admin.call(method, target)).body).toMatchObject({ status: 403 });
    }
    expect((await owner.call("DELETE", `${path}/${session?.id}`)).status).toBe(204);
    expect(await statusOf(me)).toBe(401);
    const repeated = await signedInClient(server.origin, me.credentials);
    expect((await owner.call("DELETE", path)).body).toEqual({ ended: 1, tokens: 0, webhooks: 0 });
    expect(await statusOf(repeated)).toBe(401);
  });
});

describe("a password", () => {
  it.each([
    ["elevenchars", 400, "invalid_request"],
    ["password1234", 422, "validation_failed"],
    ["Passw0rd!Passw0rd!", 422, "validation_failed"],
    ["qwertyuiopasdf", 422, "validation_failed"],
    ["abcabcabcabcabc", 422, "validation_failed"],
    ["iloveyouforever", 422, "validation_failed"],
    ["watchfloor2026", 422, "validation_failed"],
    ["Rosalind.Okonkwo", 422, "validation_failed"],
  ])("%s is refused wherever one is chosen", async (password, status, code) => {
    const call = {
      email: "rosalind.okonkwo@example.com",
      name: "Rosalind Okonkwo",
      role: "viewer",
    };
    const answer = await owner.call("POST", USERS, { ...call, password });
    expect(answer.body).toMatchObject({ status, code });
    if (status === 422) {
      expect(answer.body).toMatchObject({ fields: { password: { rule: "guessable" } } });
      expect(JSON.stringify(answer.body)).not.toContain(password);
    }
  });

  it("needs no special characters, and may be long and in any script", async () => {
    for (const password of [
      "four quiet otters waving",
      "наша река течёт медленно",
      Array.from({ length: 180 }, (_, at) => at * 7919)
        .join("-")
        .slice(0, 1_000),
    ]) {
      made += 1;
      const call = { email: `free${made}@example.com`, name: "Free", role: "viewer", password };
      expect((await owner.call("POST", USERS, call)).status).toBe(201);
    }
  });

  it("is changed with the current one; the other sessions end", async () => {
    const me = await member();
    const elsewhere = await signedInClient(server.origin, me.credentials);
    const wrong = await me.call("PUT", PASSWORD, { current: "not it", password: second });
    expect(wrong.body).toMatchObject({ status: 422, fields: { current: { rule: "wrong" } } });
    const weak = await me.call("PUT", PASSWORD, { current: first, password: "password1234" });
    expect(weak.body).toMatchObject({ status: 422, fields: { password: { rule: "guessable" } } });
    expect((await me.call("PUT", PASSWORD, { current: first, password: second })).status).toBe(204);
    expect(await statusOf(me)).toBe(200);
    expect(await statusOf(elsewhere)).toBe(401);
    const old = await apiClient(server.origin).call("POST", SESSION, me.credentials);
    expect(old.status).toBe(401);
    await signedInClient(server.origin, { ...me.credentials, password: second });
  });

  it("can't be guessed by changing it: those attempts are throttled too", async () => {
    const me = await member();
    const guess = () => me.call("PUT", PASSWORD, { current: "a wrong guess", password: second });
    for (let time = 0; time < 10; time += 1) expect((await guess()).status).toBe(422);
    expect((await guess()).body).toMatchObject({ status: 429, code: "rate_limited" });
  });
});

describe("a password reset link", () => {
  const tokenOf = (body: Record<string, unknown>) => new URL(String(body.link)).hash.slice(1);

  it("works once, ends every session, signs nobody in and is in no log", async () => {
    const me = await member();
    const made = await owner.call("POST", `${USERS}/${me.id}/password-reset`);
    expect(made.status).toBe(201);
    const path = `/api/v1/password-resets/${tokenOf(made.body)}`;
    const guest = apiClient(server.origin);
    expect((await guest.call("GET", path)).body).toEqual({
      email: me.credentials.email,
      name: me.name,
      tokens: 0,
      webhooks: 0,
    });
    expect((await guest.call("POST", path, { password: "password1234" })).status).toBe(422);
    expect((await guest.call("POST", path, { password: second })).status).toBe(204);
    expect(guest.token()).toBeNull();
    expect(await statusOf(me)).toBe(401);
    expect((await guest.call("POST", path, { password: first })).body.code).toBe("not_found");
    await signedInClient(server.origin, { ...me.credentials, password: second });
    expect(server.log.join()).not.toContain(tokenOf(made.body));
  });

  it("resets failed attempts from before the link was requested", async () => {
    const me = await member();
    const attemptSignIn = (password: string) =>
      apiClient(server.origin).call("POST", "/api/v1/session", { ...me.credentials, password });
    for (let time = 0; time < 10; time += 1)
      expect((await attemptSignIn("a wrong guess")).status).toBe(401);
    expect((await attemptSignIn(first)).status).toBe(429);
    const { body } = await owner.call("POST", `${USERS}/${me.id}/password-reset`);
    const path = `/api/v1/password-resets/${tokenOf(body)}`;
    await apiClient(server.origin).call("POST", path, { password: second });
    expect((await attemptSignIn(second)).status).toBe(200);
  });

  it("is replaced by a newer one, and invalid when the password was changed meanwhile", async () => {
    const me = await member();
    const issue = async () =>
      tokenOf((await owner.call("POST", `${USERS}/${me.id}/password-reset`)).body);
    const [older, newer] = [await issue(), await issue()];
    const reads = (token: string) =>
      apiClient(server.origin).call("GET", `/api/v1/password-resets/${token}`);
    expect((await reads(older)).status).toBe(404);
    expect((await reads(newer)).status).toBe(200);
    await me.call("PUT", PASSWORD, { current: first, password: second });
    expect((await reads(newer)).status).toBe(404);
  });

  it("is created by users who manage users, not for oneself, not for an owner by an admin", async () => {
    const admin = await member("admin");
    const editor = await member();
    const path = (id: string) => `${USERS}/${id}/password-reset`;
    expect((await editor.call("POST", path(admin.id))).body).toMatchObject({ right: "users" });
    expect((await admin.call("POST", path(admin.id))).status).toBe(422);
    const { id } = (await owner.call("GET", SESSION)).body.user as { id: string };
    expect((await admin.call("POST", path(id))).body).toMatchObject({ role: "owner" });
    expect((await admin.call("POST", path(editor.id))).status).toBe(201);
  });

  it("is invalid when it has expired, or the user is disabled", async () => {
    const short = await startTestServer({ PASSWORD_RESET_TTL_MS: "1" });
    await short.owner();
    const shortOwner = await signedInClient(short.origin, ownerCredentials);
    const call = { email: "late@example.com", name: "Late", role: "viewer", password: first };
    const { body } = await shortOwner.call("POST", USERS, call);
    const link = await shortOwner.call("POST", `${USERS}/${body.id}/password-reset`);
    const path = `/api/v1/password-resets/${tokenOf(link.body)}`;
    expect((await apiClient(short.origin).call("GET", path)).status).toBe(404);
    await short.close();
  });
});
