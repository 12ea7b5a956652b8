import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { issueDisplayLink } from "../displays/create-displays.ts";
import { apiClient, signedInClient } from "./testing/api-client.ts";
import { ownerCredentials, startTestServer, type TestServer } from "./testing/test-server.ts";

const API = "/api/v1";
const password = "seven walnuts on a shelf";
const fresh = "eight kettles by the lake";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ LOG_LEVEL: "trace" });
  await server.owner("service-desk");
});
afterAll(() => server.close());

const hashOf = (link: unknown) => new URL(String(link)).hash.slice(1);

describe("the log", () => {
  it("contains no secret, whatever was done with it, and also after failures", async () => {
    const secrets: string[] = [password, fresh, ownerCredentials.password];
    const owner = await signedInClient(server.origin, ownerCredentials);
    const caller = { email: "lee@example.com", name: "Lee", role: "editor" };
    const invited = await owner.call("POST", `${API}/users`, caller);
    const invitation = hashOf(invited.body.invitation);
    const lee = apiClient(server.origin);
    await lee.call("GET", `${API}/invitations/${invitation}`);
    await lee.call("POST", `${API}/invitations/${invitation}`, { password });
    const { body: totp } = await lee.call("POST", `${API}/me/totp`, { password });
    const code = new TOTP({ secret: Secret.fromBase32(String(totp.secret)) }).generate();
    const { body: confirmed } = await lee.call("PUT", `${API}/me/totp`, { code });
    const [recovery = "", spare = ""] = confirmed.recoveryCodes as string[];
    const anonymous = apiClient(server.origin);
    await anonymous.call("POST", `${API}/session`, {
      email: caller.email,
      password,
      code: recovery,
    });
    await anonymous.call("POST", `${API}/session`, {
      email: caller.email,
      password,
      code: `${spare}x`,
    });
    const path = `${API}/users/${invited.body.id}/password-reset`;
    const reset = hashOf((await owner.call("POST", path)).body.link);
    await anonymous.call("POST", `${API}/password-resets/${reset}`, { password: fresh });
    const oneClick = server.auth.links.issue({ user: String(invited.body.id), to: "/" });
    await fetch(`${server.origin}${API}/sign-in/${oneClick}`, { redirect: "manual" });
    const displayLink = await issueDisplayLink(server.displays, {
      id: "wall",
      name: "Wall",
      boards: [],
    });
    await fetch(`${server.origin}${API}/display/open/${displayLink}`, { redirect: "manual" });
    secrets.push(displayLink, invitation, String(totp.secret), recovery, spare, reset, oneClick);
    secrets.push(owner.token() ?? "", lee.token() ?? "", anonymous.token() ?? "");

    // failures: invalid JSON, unknown keys, a missing path, a query, a header
    const canary = "canary-4be1f0c7-of-a-clumsy-program";
    await anonymous.call("POST", `${API}/session`, `{"password":"${canary}"`);
    await anonymous.call("POST", `${API}/session`, {
      email: canary,
      password: canary,
      more: canary,
    });
    await owner.call("PATCH", `${API}/users/${invited.body.id}`, { password: canary });
    await anonymous.call("GET", `${API}/session?token=${canary}`);
    await anonymous.call("GET", `${API}/session`, undefined, { authorization: `Bearer ${canary}` });
    secrets.push(canary);

    const written = server.log.join("\n");
    expect(server.log.length).toBeGreaterThan(10);
    const found = secrets.filter((secret) => secret && written.includes(secret));
    expect(found).toEqual([]);
  });
});
