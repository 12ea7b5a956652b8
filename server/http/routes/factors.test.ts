import { Secret, TOTP } from "otpauth";
import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { apiClient } from "../testing/api-client.ts";
import { memberPassword as password, serveTests } from "../testing/test-server.ts";

const SESSION = "/api/v1/session";
const TOTP_PATH = "/api/v1/me/totp";
const USERS = "/api/v1/users";
const STEP_MS = 30_000;

const { server, owner, member } = await serveTests("empty", {
  WATCHFLOOR_SECRET_KEY: "a key of more than thirty-two signs",
  // A wait that no slow machine outlasts.
  SIGN_IN_FIRST_WAIT_MS: "60000",
});

/** The code of an authenticator, some steps away from now. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + steps * STEP_MS,
  });

async function enrolled() {
  const me = await member();
  const { body } = await me.call("POST", TOTP_PATH, { password });
  const secret = String(body.secret);
  const confirmed = await me.call("PUT", TOTP_PATH, { code: codeOf(secret) });
  // as if that had been a while ago, so that the current code is a new one
  await query("update watchfloor.totp set last_step = 0 where user_id = $1", [me.id]);
  return { ...me, secret, codes: confirmed.body.recoveryCodes as string[] };
}

const signIn = (call: object) => apiClient(server.origin).call("POST", SESSION, call);

async function query(text: string, values: unknown[] = []) {
  const client = new Client({ connectionString: server.databaseUrl });
  await client.connect();
  const { rows } = await client.query(text, values);
  await client.end();
  return rows;
}

/** The browsers that have shown whatever a sign-in asks for. */
const devicesOf = (user: string) =>
  query("select id from watchfloor.known_device where user_id = $1", [user]);

describe("an authenticator app", () => {
  it("is begun with the password, and required only after its first right code", async () => {
    const me = await member();
    const unproven = await me.call("POST", TOTP_PATH, { password: "not it" });
    expect(unproven.body).toMatchObject({ status: 422, fields: { current: { rule: "wrong" } } });
    const { body } = await me.call("POST", TOTP_PATH, { password });
    expect(body.uri).toMatch(/^otpauth:\/\/totp\/Watchfloor:/);
    const wrong = await me.call("PUT", TOTP_PATH, { code: "000000" });
    expect(wrong.body).toMatchObject({ status: 422, fields: { code: { rule: "wrong" } } });
    expect((await signIn(me.credentials)).status).toBe(200);
    expect(await devicesOf(me.id)).not.toEqual([]);
    const right = await me.call("PUT", TOTP_PATH, { code: codeOf(String(body.secret)) });
    expect(right.body.recoveryCodes).toHaveLength(10);
    expect(await devicesOf(me.id)).toEqual([]);
    expect((await me.call("GET", "/api/v1/me/factors")).body).toEqual({
      password: true,
      totp: true,
      recoveryCodes: 10,
      passkeys: [],
    });
    const half = await signIn(me.credentials);
    expect(half.body).toMatchObject({
      status: 401,
      code: "second_factor_required",
      methods: ["totp", "recovery"],
    });
    // without the second factor there is no session
    expect(half.headers.getSetCookie()).toEqual([]);
  });

  it("accepts a code once; the same code, and an older one, are refused", async () => {
    const me = await enrolled();
    const code = codeOf(me.secret);
    expect((await signIn({ ...me.credentials, code })).status).toBe(200);
    expect((await signIn({ ...me.credentials, code })).body.code).toBe("second_factor_wrong");
    const older = codeOf(me.secret, -1);
    const refused = await signIn({ ...me.credentials, code: older });
    expect(refused.body.code).toBe("second_factor_wrong");
    const next = codeOf(me.secret, 1);
    expect((await signIn({ ...me.credentials, code: next })).status).toBe(200);
  });

  it("accepts one of two simultaneous equal codes", async () => {
    const me = await enrolled();
    const code = codeOf(me.secret);
    const answers = await Promise.all([1, 2, 3].map(() => signIn({ ...me.credentials, code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  it("is not revealed to callers without the password", async () => {
    const me = await enrolled();
    const answer = await signIn({ ...me.credentials, password: "a wrong guess", code: "123456" });
    expect(answer.body.code).toBe("unauthenticated");
  });

  it("can't be guessed: codes count as sign-ins, and a right password clears none of them", async () => {
    const me = await enrolled();
    for (let time = 0; time < 10; time += 1) {
      const status = (await signIn({ ...me.credentials, code: "000000" })).status;
      expect(status).toBe(401);
      if (time === 4) expect((await signIn(me.credentials)).status).toBe(401);
    }
    expect((await signIn({ ...me.credentials, code: codeOf(me.secret) })).status).toBe(429);
  });

  it("is stored encrypted, and while active is not replaced by a new enrolment", async () => {
    const me = await enrolled();
    const [row] = await query("select secret from watchfloor.totp where user_id = $1", [me.id]);
    expect(row.secret).toMatch(/^gcm1:/);
    expect(row.secret).not.toContain(me.secret);
    expect((await me.call("POST", TOTP_PATH, { password })).status).toBe(422);
  });

  it("that was not completed can't be completed later, by somebody who saw the code on the screen", async () => {
    const me = await member();
    const { body } = await me.call("POST", TOTP_PATH, { password });
    await query("update watchfloor.totp set created_at = now() - interval '16 minutes'");
    const late = await me.call("PUT", TOTP_PATH, { code: codeOf(String(body.secret)) });
    expect(late.body).toMatchObject({ status: 422, fields: { code: { rule: "wrong" } } });
    expect((await me.call("POST", TOTP_PATH, { password })).status).toBe(200);
  });

  it("is completed once: a code alone brings no new recovery codes when they are used up", async () => {
    const me = await enrolled();
    await query("delete from watchfloor.recovery_code where user_id = $1", [me.id]);
    const repeated = await me.call("PUT", TOTP_PATH, { code: codeOf(me.secret) });
    expect(repeated.body).toMatchObject({ status: 422, fields: { code: { rule: "wrong" } } });
    expect((await me.call("GET", "/api/v1/me/factors")).body.recoveryCodes).toBe(0);
  });

  it("is removed with the password, and the codes go with the last factor", async () => {
    const me = await enrolled();
    expect((await me.call("DELETE", TOTP_PATH, { password: "not it" })).status).toBe(422);
    expect((await me.call("DELETE", TOTP_PATH, { password })).status).toBe(204);
    expect((await me.call("GET", "/api/v1/me/factors")).body.recoveryCodes).toBe(0);
    expect((await signIn(me.credentials)).status).toBe(200);
  });
});

describe("recovery codes", () => {
  it("work once each, in any notation, and are never stored in plain text", async () => {
    const me = await enrolled();
    const [first = "", second = ""] = me.codes;
    expect(first).toMatch(/^[a-z0-9]{6}(-[a-z0-9]{6}){3}$/);
    const typed = ` ${first.toUpperCase().replaceAll("-", " ")} `;
    expect((await signIn({ ...me.credentials, code: typed })).status).toBe(200);
    expect((await signIn({ ...me.credentials, code: first })).body.code).toBe(
      "second_factor_wrong",
    );
    expect((await signIn({ ...me.credentials, code: second })).status).toBe(200);
    const storedCodes = JSON.stringify(await query("select * from watchfloor.recovery_code"));
    for (const code of me.codes) expect(storedCodes).not.toContain(code.replaceAll("-", ""));
  });

  it("belong to one user, and new ones invalidate the old", async () => {
    const [me, other] = [await enrolled(), await enrolled()];
    const stolen = await signIn({ ...me.credentials, code: other.codes[0] });
    expect(stolen.body.code).toBe("second_factor_wrong");
    const renewed = await me.call("POST", "/api/v1/me/recovery-codes", { password });
    expect(renewed.body.recoveryCodes).toHaveLength(10);
    const old = await signIn({ ...me.credentials, code: me.codes[0] });
    expect(old.body.code).toBe("second_factor_wrong");
  });
});

describe("a lost factor", () => {
  it("is removed by a user who manages users, which ends the sessions; the password stays", async () => {
    const me = await enrolled();
    const path = `${USERS}/${me.id}/factors`;
    expect((await owner.call("GET", path)).body).toMatchObject({ totp: true });
    expect((await owner.call("DELETE", path)).status).toBe(204);
    expect((await me.call("GET", SESSION)).status).toBe(401);
    expect((await signIn(me.credentials)).status).toBe(200);
  });

  it("is not bypassed by resetting the password", async () => {
    const me = await enrolled();
    expect((await signIn({ ...me.credentials, code: codeOf(me.secret) })).status).toBe(200);
    expect(await devicesOf(me.id)).toHaveLength(1);
    const { body } = await owner.call("POST", `${USERS}/${me.id}/password-reset`);
    const token = new URL(String(body.link)).hash.slice(1);
    const fresh = "eight kettles by the lake";
    const path = `/api/v1/password-resets/${token}`;
    await apiClient(server.origin).call("POST", path, { password: fresh });
    expect(await devicesOf(me.id)).toEqual([]);
    const answer = await signIn({ ...me.credentials, password: fresh });
    expect(answer.body.code).toBe("second_factor_required");
  });
});
