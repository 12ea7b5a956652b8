import { describe, expect, it } from "vitest";
import type { WebhookInfo } from "../../../shared/protocol/webhooks.ts";
import { serveTests } from "../testing/test-server.ts";
import { createToken, TOKENS, tokenCaller } from "../testing/token-calls.ts";

const API = "/api/v1";
const { server, owner } = await serveTests("service-desk", {
  WATCHFLOOR_WEBHOOK_ALLOW_PRIVATE: "true",
});
const callWith = tokenCaller(server.origin);
const hook = { name: "Hook", url: "http://127.0.0.1:9/x", table: "incidents", events: ["updated"] };

async function tokenOf(grant: object, rights = ["webhooks"]) {
  const role = await owner.call("POST", `${API}/roles`, {
    name: `Role ${crypto.randomUUID()}`,
    rights,
    grants: { incidents: grant },
  });
  return createToken(owner, { role: String(role.body.id) });
}

describe("a webhook of an API token", () => {
  it("is created with the right `webhooks` only, and for what the token reads", async () => {
    const without = await tokenOf({ read: true }, []);
    expect((await callWith(without.token, "POST", `${API}/webhooks`, hook)).status).toBe(403);
    const narrow = await tokenOf({ read: { hide: ["notes"] } });
    const hidden = { ...hook, fields: ["notes"] };
    expect((await callWith(narrow.token, "POST", `${API}/webhooks`, hidden)).status).toBe(400);
    const other = { ...hook, table: "groups" };
    expect((await callWith(narrow.token, "POST", `${API}/webhooks`, other)).status).toBe(404);
    const made = await callWith(narrow.token, "POST", `${API}/webhooks`, hook);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      isMine: true,
      token: { id: narrow.id, name: narrow.name },
      state: "active",
    });
  });

  it("stops when the token is revoked, and lets the token do nothing with those of its creator", async () => {
    const { token, id } = await tokenOf({ read: true });
    const { body: mine } = await callWith(token, "POST", `${API}/webhooks`, hook);
    const { body: owners } = await owner.call("POST", `${API}/webhooks`, hook);
    const change = { url: "http://127.0.0.1:9/stolen" };
    for (const [path, method, body] of [
      ["", "PATCH", change],
      ["/rotate-secret", "POST", undefined],
      ["/test", "POST", undefined],
    ] as const) {
      const refused = await callWith(token, method, `${API}/webhooks/${owners.id}${path}`, body);
      expect(refused.body).toMatchObject({ status: 403, right: "owner" });
    }
    const seen = await callWith(token, "GET", `${API}/webhooks/${owners.id}`);
    expect(seen.body).toMatchObject({ isMine: false, url: "http://127.0.0.1:9" });
    expect((await callWith(token, "PATCH", `${API}/webhooks/${mine.id}`, change)).status).toBe(200);
    await owner.call("DELETE", `${TOKENS}/${id}`);
    const stopped = (await owner.call("GET", `${API}/webhooks/${mine.id}`)).body;
    expect(stopped as unknown as WebhookInfo).toMatchObject({ state: "stopped", reason: "owner" });
  });
});
