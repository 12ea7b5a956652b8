import { Secret, TOTP } from "otpauth";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiAnswer, apiClient } from "../testing/api-client.ts";
import { serveTests } from "../testing/test-server.ts";

/** Codes are guessed by somebody who knows the password, in whatever sessions and browsers. */

const API = "/api/v1";
const { server, owner, member } = await serveTests("empty", {
  // Without the short waits of a sign-in.
  SIGN_IN_FAILURES_PER_ACCOUNT: "1000",
  SIGN_IN_FAILURES_PER_ADDRESS: "1000",
});
const { origin } = server;

let program: Client;
beforeAll(async () => {
  program = new Client({ connectionString: server.databaseUrl });
  await program.connect();
  const policy = { providerOnly: [], secondFactor: ["editor"], breakGlass: null };
  expect((await owner.call("PUT", `${API}/sign-in-policy`, policy)).status).toBe(200);
});
afterAll(() => program.end());

const deviceOf = ({ headers }: ApiAnswer) =>
  headers
    .getSetCookie()
    .map((line) => line.split(";")[0] ?? "")
    .find((cookie) => cookie.startsWith("watchfloor_device="));

it("are bounded in a day, and keep out neither who has shown one there before, nor a recovery code", async () => {
  const { credentials, id } = await member("editor");
  const signIn = (call: object, cookie = "") =>
    apiClient(origin).call("POST", `${API}/session`, { ...credentials, ...call }, { cookie });
  // A session of before there was a factor, in a browser that has shown none.
  const thief = apiClient(origin);
  const former = deviceOf(await thief.call("POST", `${API}/session`, credentials));
  const me = apiClient(origin);
  await me.call("POST", `${API}/session`, credentials);
  const secret = String((await me.call("POST", `${API}/me/totp`, {})).body.secret);
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const added = await me.call("PUT", `${API}/me/totp`, { code: totp.generate() });
  const [recovery] = added.body.recoveryCodes as string[];
  /** As if the last one had been used a while ago. */
  const right = async () => {
    await program.query("update watchfloor.totp set last_step = 0 where user_id = $1", [id]);
    return { code: totp.generate() };
  };
  const wrong = () => ({ code: totp.generate() === "000000" ? "000001" : "000000" });
  const factor = `${API}/session/factor`;
  const known = deviceOf(await signIn(await right()));
  for (let guesses = 0; guesses < 25; guesses += 1) {
    for (const answer of [
      await thief.call("POST", factor, wrong()),
      await signIn(wrong(), former),
    ]) {
      expect(answer.body.code).toBe("second_factor_wrong");
    }
  }
  expect((await thief.call("POST", factor, await right())).body.code).toBe("rate_limited");
  expect((await signIn(await right(), former)).body.code).toBe("rate_limited");
  expect((await signIn(await right(), known)).status).toBe(200);
  expect((await signIn({ code: recovery })).status).toBe(200);
  await program.query(`update watchfloor.sign_in_attempt
    set attempts = array(select at - interval '1 day' from unnest(attempts) at order by at)`);
  expect((await thief.call("POST", factor, await right())).status).toBe(204);
});
