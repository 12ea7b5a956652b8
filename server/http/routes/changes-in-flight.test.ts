import { argon2Sync, randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashPassword } from "../../auth/password.ts";
import { startSession } from "../../auth/sign-in.ts";
import { type ApiAnswer, apiClient } from "../testing/api-client.ts";
import { inFlight, type Statement } from "../testing/in-flight.ts";
import { memberPassword as password, serveTests } from "../testing/test-server.ts";

/**
 * A proof is valid as of now: while a call is in flight, what it depends on changes in another transaction.
 * Each case holds that transaction open until the call waits for it, and then commits.
 */

const API = "/api/v1";
const fresh = "eight kettles by the lake";

const { server, owner, member } = await serveTests("empty");
let program: Client;
let watcher: Client;

beforeAll(async () => {
  program = new Client({ connectionString: server.databaseUrl });
  watcher = new Client({ connectionString: server.databaseUrl });
  await Promise.all([program.connect(), watcher.connect()]);
});
afterAll(async () => {
  await Promise.all([program.end(), watcher.end()]);
});

type Member = Awaited<ReturnType<typeof member>>;

const attemptSignIn = (call: object) =>
  apiClient(server.origin).call("POST", `${API}/session`, call);
const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
const query = async (text: string, ...values: unknown[]) =>
  Object.values((await watcher.query(text, values)).rows[0] ?? {})[0];
const sessionsOf = "select count(*)::int from watchfloor.session where user_id = $1";
const setHash = `update watchfloor."user" set password_hash = $2 where id = $1`;

const meanwhile = (
  change: Statement[],
  call: () => Promise<ApiAnswer>,
  rest: Statement[] = [],
): Promise<ApiAnswer> => inFlight({ program, watcher }, change, call, rest);

describe("a password that is changed meanwhile", () => {
  const changed = async (me: Member): Promise<Statement[]> => [
    [setHash, [me.id, await hashPassword(fresh)]],
    ["delete from watchfloor.session where user_id = $1", [me.id]],
  ];

  it("refuses a sign-in with the old one", async () => {
    const me = await member();
    const late = await meanwhile(await changed(me), () => attemptSignIn(me.credentials));
    expect(late.body).toMatchObject({ status: 401, code: "unauthenticated" });
    expect(await query(sessionsOf, me.id)).toBe(0);
    const eventCount =
      "select detail->>'reason' from watchfloor.security_event where subject = $1 and kind = $2";
    expect(await query(eventCount, me.id, "sign_in_failed")).toBe("password");
  });

  it("is not restored by a sign-in whose old one was stored in an old form", async () => {
    const me = await member();
    const nonce = randomBytes(16);
    const old = { message: password, nonce, parallelism: 1, tagLength: 32, memory: 64, passes: 1 };
    const text = [nonce, argon2Sync("argon2id", old)].map((b) => b.toString("base64"));
    const hash = `$argon2id$v=19$m=64,t=1,p=1$${text.join("$").replaceAll("=", "")}`;
    await program.query(setHash, [me.id, hash]);
    await meanwhile(await changed(me), () => attemptSignIn(me.credentials));
    expect((await attemptSignIn({ ...me.credentials, password: fresh })).status).toBe(200);
    expect((await attemptSignIn(me.credentials)).status).toBe(401);
  });

  it("is not overwritten by somebody who proved the old one", async () => {
    const me = await member();
    const call = { current: password, password: "nine lamps in the attic" };
    const late = await meanwhile(await changed(me), () =>
      me.call("PUT", `${API}/me/password`, call),
    );
    expect(late.body).toMatchObject({ status: 422, fields: { current: { rule: "wrong" } } });
    expect((await attemptSignIn({ ...me.credentials, password: fresh })).status).toBe(200);
  });

  it("and a link that resets it do not deadlock", async () => {
    const me = await member();
    const { body } = await owner.call("POST", `${API}/users/${me.id}/password-reset`);
    const token = new URL(String(body.link)).hash.slice(1);
    const change: Statement[] = [
      ...(await changed(me)),
      ["delete from watchfloor.password_reset where user_id = $1", [me.id]],
    ];
    const [first = ["", []], ...others] = change;
    const path = `/password-resets/${token}`;
    const call = { password: "ten ducks on a pond" };
    const use = () => apiClient(server.origin).call("POST", API + path, call);
    const late = await meanwhile([first], use, others);
    expect(late.body).toMatchObject({ status: 404 });
    expect((await attemptSignIn({ ...me.credentials, password: fresh })).status).toBe(200);
  });

  it("nor does a user sign in who is disabled meanwhile", async () => {
    const me = await member();
    const change: Statement[] = [
      [`update watchfloor."user" set status = 'disabled' where id = $1`, [me.id]],
      ["delete from watchfloor.session where user_id = $1", [me.id]],
    ];
    expect((await meanwhile(change, () => attemptSignIn(me.credentials))).status).toBe(401);
    expect(await query(sessionsOf, me.id)).toBe(0);
  });
});

describe("an invitation that is accepted", () => {
  it("and a change of the user do not deadlock", async () => {
    const invited = { email: "circle@example.com", name: "Circle", role: "viewer" };
    const { body } = await owner.call("POST", `${API}/users`, invited);
    const token = new URL(String(body.invitation)).hash.slice(1);
    const accept = () =>
      apiClient(server.origin).call("POST", `${API}/invitations/${token}`, { password });
    const late = await meanwhile(
      [[`update watchfloor."user" set role = 'editor' where id = $1`, [body.id]]],
      accept,
      [["delete from watchfloor.invitation where user_id = $1", [body.id]]],
    );
    expect(late.body).toMatchObject({ status: 404 });
  });

  it("by a user who is disabled meanwhile opens no session, and reveals none", async () => {
    const { id } = await member();
    await program.query(`update watchfloor."user" set status = 'disabled' where id = $1`, [id]);
    await program.query("delete from watchfloor.security_event where actor = $1", [id]);
    const caller = { ip: "", userAgent: "" };
    await expect(startSession(server.auth, id, caller, "invitation")).rejects.toThrow();
    const eventCount = "select count(*)::int from watchfloor.security_event where actor = $1";
    expect(await query(eventCount, id)).toBe(0);
  });
});

describe("a link that is followed three times at once", () => {
  const tokenOf = (link: unknown) => new URL(String(link)).hash.slice(1);

  it.each<[string, number, () => Promise<string>]>([
    [
      "to another password",
      204,
      async () => {
        const { id } = await member();
        const { body } = await owner.call("POST", `${API}/users/${id}/password-reset`);
        return `/password-resets/${tokenOf(body.link)}`;
      },
    ],
    [
      "by who is invited",
      200,
      async () => {
        const call = { email: "three@example.com", name: "Three", role: "viewer" };
        const { body } = await owner.call("POST", `${API}/users`, call);
        return `/invitations/${tokenOf(body.invitation)}`;
      },
    ],
  ])("works once: %s", async (_what, done, make) => {
    const path = API + (await make());
    const follow = () => apiClient(server.origin).call("POST", path, { password: fresh });
    const statuses = (await Promise.all([follow(), follow(), follow()])).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([done, 404, 404]);
  });
});

describe("a user who is promoted meanwhile", () => {
  const promoted = (me: Member): Statement[] => [
    [`update watchfloor."user" set role = 'owner' where id = $1`, [me.id]],
    ["delete from watchfloor.password_reset where user_id = $1", [me.id]],
  ];

  it.each<[string, string, string]>([
    ["a link to reset the password", "POST", "password-reset"],
    ["the factors taken away", "DELETE", "factors"],
    ["the sessions ended", "DELETE", "sessions"],
  ])("can't be managed by who could manage them before: %s", async (_what, method, path) => {
    const [admin, me] = [await member("admin"), await member()];
    const enrol =
      "insert into watchfloor.totp (user_id, secret, confirmed) values ($1, 'plain:A', true)";
    await program.query(enrol, [me.id]);
    const late = await meanwhile(promoted(me), () =>
      admin.call(method, `${API}/users/${me.id}/${path}`),
    );
    expect(late.body).toMatchObject({ status: 403, role: "owner" });
    expect((await me.call("GET", `${API}/me/factors`)).body).toMatchObject({ totp: true });
  });
});

describe("second factors that change meanwhile", () => {
  it("a code of the former secret does not confirm its replacement", async () => {
    const me = await member();
    const { body } = await me.call("POST", `${API}/me/totp`, { password });
    const code = codeOf(String(body.secret));
    const replaced = "update watchfloor.totp set secret = 'plain:AAAA' where user_id = $1";
    const late = await meanwhile([[replaced, [me.id]]], () =>
      me.call("PUT", `${API}/me/totp`, { code }),
    );
    expect(late.body).toMatchObject({ status: 422, fields: { code: { rule: "wrong" } } });
    expect((await me.call("GET", `${API}/me/factors`)).body).toMatchObject({ totp: false });
  });

  it("a right code signs nobody in whose authenticator was removed", async () => {
    const me = await member();
    const { body } = await me.call("POST", `${API}/me/totp`, { password });
    const code = codeOf(String(body.secret));
    await me.call("PUT", `${API}/me/totp`, { code });
    await program.query("update watchfloor.totp set last_step = 0 where user_id = $1", [me.id]);
    const late = await meanwhile(
      [["delete from watchfloor.totp where user_id = $1", [me.id]]],
      () => attemptSignIn({ ...me.credentials, code }),
    );
    expect(late.body.code).toBe("second_factor_wrong");
  });

  it("recovery codes that are created again by two calls at once are those of the last", async () => {
    const me = await member();
    const { body } = await me.call("POST", `${API}/me/totp`, { password });
    await me.call("PUT", `${API}/me/totp`, { code: codeOf(String(body.secret)) });
    const change: Statement[] = [
      [`select 1 from watchfloor."user" where id = $1 for no key update`, [me.id]],
      ["delete from watchfloor.recovery_code where user_id = $1", [me.id]],
      ["insert into watchfloor.recovery_code (user_id, hash) values ($1, 'of the first')", [me.id]],
    ];
    const path = `${API}/me/recovery-codes`;
    await meanwhile(change, () => me.call("POST", path, { password }));
    expect((await me.call("GET", `${API}/me/factors`)).body.recoveryCodes).toBe(10);
  });

  it("the last two factors removed at once leave no code behind", async () => {
    const me = await member();
    const { body } = await me.call("POST", `${API}/me/totp`, { password });
    await me.call("PUT", `${API}/me/totp`, { code: codeOf(String(body.secret)) });
    await program.query(
      `insert into watchfloor.passkey (id, user_id, name, site, public_key, counter)
       values ($1, $1, 'Key', 'localhost', '', 0)`,
      [me.id],
    );
    await Promise.all([
      me.call("DELETE", `${API}/me/totp`, { password }),
      me.call("DELETE", `${API}/me/passkeys/${me.id}`, { password }),
    ]);
    expect((await me.call("GET", `${API}/me/factors`)).body).toEqual({
      password: true,
      totp: false,
      passkeys: [],
      recoveryCodes: 0,
    });
  });
});

describe("a display that is revoked while its screen fetches the credential", () => {
  it("stays revoked", async () => {
    const screen = { pairing: "", credential: "" };
    const started = await apiClient(server.origin).call("POST", `${API}/display/pairing`);
    screen.pairing = started.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const call = { code: started.body.code, name: "Hall", boards: ["desk"] };
    const { body } = await owner.call("POST", `${API}/displays`, call);
    const late = await meanwhile(
      [
        [
          `with gone as (delete from watchfloor.display_pairing where display_id = $1)
           update watchfloor.display set token_hash = null, revoked_at = now() where id = $1`,
          [body.id],
        ],
      ],
      () =>
        apiClient(server.origin).call("GET", `${API}/display/pairing`, undefined, {
          cookie: screen.pairing,
        }),
    );
    expect(late.body).toEqual({ state: "expired" });
    expect((await owner.call("GET", `${API}/displays/${body.id}`)).body.status).toBe("revoked");
  });
});
