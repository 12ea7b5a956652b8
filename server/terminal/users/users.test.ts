import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../../../e2e/harness/run-command.ts";
import { type ApiClient, apiClient, signedInClient } from "../../http/testing/api-client.ts";
import {
  ownerCredentials,
  startTestServer,
  type TestServer,
} from "../../http/testing/test-server.ts";

let server: TestServer;
let owner: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  await server.owner("service-desk");
  owner = await signedInClient(server.origin, ownerCredentials);
});
afterAll(() => server.close());

const account = {
  WATCHFLOOR_EMAIL: ownerCredentials.email,
  WATCHFLOOR_PASSWORD: ownerCredentials.password,
};
const run = (args: string[], environment: Record<string, string> = account) =>
  runCommand(args, { PUBLIC_URL: server.origin, ...environment });

/** Accepts the link of an invitation or a reset, which is the last line that the command printed. */
async function follow(out: string, password: string): Promise<number> {
  const [, kind, token] = /\/(invitation|password-reset)#(\S+)/.exec(out) ?? [];
  const stranger = apiClient(server.origin);
  const path = `/api/v1/${kind}s/${token}`;
  return (await stranger.call("POST", path, { password })).status;
}

const signIn = async (password: string) =>
  (await apiClient(server.origin).call("POST", "/api/v1/session", { email: "ana@x.org", password }))
    .status;

describe("watchfloor user", () => {
  it("invites, disables, enables, and resets a password", async () => {
    const invited = await run(["user", "invite", "ana@x.org", "--role", "Editor"]);
    expect([invited.code, invited.err]).toEqual([0, ""]);
    expect(await follow(invited.out, "correct horse staple")).toBe(200);
    expect(await signIn("correct horse staple")).toBe(200);
    expect((await run(["user", "disable", "ana@x.org"])).out).toContain("ana@x.org is disabled");
    expect(await signIn("correct horse staple")).toBe(401);
    expect((await run(["user", "enable", "ANA@x.org"])).code).toBe(0);
    const reset = await run(["user", "reset-password", "ana@x.org"]);
    expect(await follow(reset.out, "another horse staple")).toBe(204);
    expect(await signIn("another horse staple")).toBe(200);
    expect((await run(["user", "reset-factors", "ana@x.org"])).code).toBe(0);
    expect((await run(["user", "list"])).out).toMatch(/^ana@x.org +ana +editor +active/m);
  });

  it("resets a password by the database, which is a security event", async () => {
    const environment = { DATABASE_URL: server.databaseUrl };
    const { email } = ownerCredentials;
    const reset = await run(["user", "reset-password", email, "--local"], environment);
    expect(reset.err).toBe("");
    expect(await follow(reset.out, ownerCredentials.password)).toBe(204);
    expect(await follow(reset.out, ownerCredentials.password)).toBe(404);
    owner = await signedInClient(server.origin, ownerCredentials);
    const { body } = await owner.call("GET", "/api/v1/security-events?limit=20");
    const items = body.items as { kind: string }[];
    const made = items.find(({ kind }) => kind === "password_reset_made");
    expect(made).toMatchObject({ actor: null, detail: { via: "command line" } });
    const missing = await run(["user", "reset-password", "no@x.org", "--local"], environment);
    expect([missing.code, missing.out]).toEqual([2, ""]);
    expect(missing.err).toContain("There is no active user no@x.org.");
  });

  it("says in one sentence what is missing or refused", async () => {
    for (const [args, said] of [
      [["user"], "Name one of: list, invite"],
      [["user", "constructor", "a@x.org"], "Name one of: list, invite"],
      [["user", "invite", "b@x.org"], "Name the role"],
      [["user", "disable"], "Name the user's email"],
      [["user", "disable", "nobody@x.org"], "There is no user nobody@x.org"],
      [["user", "list", "--local"], "--local works with reset-password only"],
      [["token", "create"], "Name the token"],
      [["token", "create", "x", "--expires", "soon"], "--expires takes a number of days"],
      [["token", "revoke", "nothing"], 'There is no token "nothing"'],
    ] as const) {
      const { code, out, err } = await run([...args]);
      expect([code, out], args.join(" ")).toEqual([2, ""]);
      expect(err).toContain(said);
    }
  });
});

describe("watchfloor token", () => {
  it("creates, lists and revokes tokens, which manage neither tokens nor users", async () => {
    const created = await run(["token", "create", "Sync", "--role", "Viewer", "--expires", "9"]);
    const token = created.out.trim();
    expect(token).toMatch(/^wf_\S+$/);
    const byToken = { WATCHFLOOR_TOKEN: token };
    expect((await run(["user", "list"], byToken)).code).toBe(0);
    for (const args of [
      ["token", "create", "More"],
      ["token", "list"],
      ["user", "invite", "c@x.org", "--role", "viewer"],
      ["user", "disable", ownerCredentials.email],
    ]) {
      const { code, out } = await run(args, byToken);
      expect([code, out], args.join(" ")).toEqual([2, ""]);
    }
    expect((await run(["token", "list"])).out).toMatch(/Sync +wf_.{1,12}… .* Viewer +active +2/);
    expect((await run(["token", "revoke", "Sync"])).out).toContain("is revoked");
    const refused = await run(["user", "list"], byToken);
    expect(refused.err).toContain("This API token is not valid");
    const { body } = await owner.call("GET", "/api/v1/me/sessions");
    expect(body.items).toHaveLength(1);
  });
});
