import { describe, expect, it } from "vitest";
import { apiClient, signedInClient } from "../testing/api-client.ts";
import { ownerCredentials, serveTests } from "../testing/test-server.ts";

const EVENTS = "/api/v1/security-events";
const SESSION = "/api/v1/session";
const USERS = "/api/v1/users";
const password = "seven walnuts on a shelf";
const fresh = "eight kettles by the lake";

interface Event {
  id: string;
  kind: string;
  actor: { id: string; name: string } | null;
  subject: { id: string; name: string } | null;
  ip: string;
  userAgent: string;
  detail: Record<string, unknown>;
}

// A wait that no slow machine outlasts.
const { server, owner, ownerId } = await serveTests("service-desk", {
  SIGN_IN_FIRST_WAIT_MS: "60000",
});

const read = async (query = "", by = owner) =>
  (await by.call("GET", `${EVENTS}${query}`)).body as { items: Event[]; total: number };
const newest = async () => (await read("?limit=1")).items[0] as Event;

let made = 0;
async function member(role = "editor") {
  made += 1;
  const credentials = { email: `e${made}@example.com`, password };
  const { body } = await owner.call("POST", USERS, { ...credentials, name: `Eve ${made}`, role });
  return { id: String(body.id), name: `Eve ${made}`, credentials };
}

describe("security events", () => {
  it("record sign-ins and failures with their source, and nothing that a stranger typed", async () => {
    const eve = await member();
    const anonymous = apiClient(server.origin);
    const from = { "user-agent": "Probe 1.0" };
    await anonymous.call("POST", SESSION, { ...eve.credentials, password: "wrong" }, from);
    expect(await newest()).toMatchObject({
      kind: "sign_in_failed",
      actor: null,
      subject: { id: eve.id, name: eve.name },
      ip: expect.stringContaining("127.0.0.1"),
      userAgent: "Probe 1.0",
      detail: { reason: "password" },
    });
    const typed = "my-password-in-the-wrong-box@example.com";
    await anonymous.call("POST", SESSION, { email: typed, password: "also secret" });
    expect(await newest()).toMatchObject({ kind: "sign_in_failed", actor: null, subject: null });
    expect(JSON.stringify(await read("?limit=200"))).not.toMatch(/wrong-box|also secret/);
    const client = await signedInClient(server.origin, eve.credentials);
    expect(await newest()).toMatchObject({
      kind: "sign_in",
      actor: { id: eve.id },
      subject: null,
      detail: { method: "password" },
    });
    await client.call("DELETE", SESSION);
    expect(await newest()).toMatchObject({ kind: "signed_out", actor: { id: eve.id } });
  });

  it("record a flood of attempts in one line", async () => {
    const eve = await member();
    for (let time = 0; time < 14; time += 1) {
      await apiClient(server.origin).call("POST", SESSION, { ...eve.credentials, password: "no" });
    }
    const { items } = await read(`?user=${eve.id}&group=failures`);
    const count = (kind: string) => items.filter((event) => event.kind === kind).length;
    expect([count("sign_in_failed"), count("sign_in_throttled")]).toEqual([10, 1]);
  });

  it.each<[string, (eve: Awaited<ReturnType<typeof member>>) => Promise<unknown>, object]>([
    [
      "user_changed",
      (eve) => owner.call("PATCH", `${USERS}/${eve.id}`, { role: "viewer", attributes: { a: 1 } }),
      { detail: { role: ["editor", "viewer"], changed: ["role", "attributes"] } },
    ],
    ["user_removed", (eve) => owner.call("DELETE", `${USERS}/${eve.id}`), {}],
    ["sessions_ended", (eve) => owner.call("DELETE", `${USERS}/${eve.id}/sessions`), {}],
    ["password_reset_made", (eve) => owner.call("POST", `${USERS}/${eve.id}/password-reset`), {}],
    ["factors_taken_away", (eve) => owner.call("DELETE", `${USERS}/${eve.id}/factors`), {}],
  ])("record actor and affected user: %s", async (kind, act, more) => {
    const eve = await member();
    await act(eve);
    expect(await newest()).toMatchObject({
      kind,
      actor: { id: ownerId },
      subject: { id: eve.id, name: eve.name },
      ...more,
    });
  });

  it("record what users change about themselves", async () => {
    const eve = await member();
    const client = await signedInClient(server.origin, eve.credentials);
    const call = { current: password, password: fresh };
    await client.call("PUT", "/api/v1/me/password", call);
    expect(await newest()).toMatchObject({ kind: "password_changed", actor: { id: eve.id } });
    await client.call("DELETE", "/api/v1/me/sessions");
    expect(await newest()).toMatchObject({ kind: "sessions_ended", subject: null });
  });

  it("record roles and the model, without secrets", async () => {
    const role = await owner.call("POST", "/api/v1/roles", { name: "Night desk" });
    expect(await newest()).toMatchObject({ kind: "role_added", subject: { name: "Night desk" } });
    const path = `/api/v1/roles/${role.body.id}`;
    await owner.call("PATCH", path, { rights: ["activity"] });
    expect(await newest()).toMatchObject({ kind: "role_changed", detail: { changed: ["rights"] } });
    const eve = await member();
    await owner.call("PATCH", `${USERS}/${eve.id}`, { role: role.body.id });
    const roleName = ["Editor", "Night desk"];
    expect(await newest()).toMatchObject({ kind: "user_changed", detail: { roleName } });
    await owner.call("PATCH", `${USERS}/${eve.id}`, { role: "editor" });
    await owner.call("DELETE", path);
    expect(await newest()).toMatchObject({ kind: "role_removed", subject: { name: "Night desk" } });
    const { body } = await owner.call("GET", "/api/v1/model");
    await owner.call("PUT", "/api/v1/model?dryRun=1", body);
    expect((await newest()).kind).toBe("role_removed");
    const tables = body.tables as { label: string }[];
    const renamed = tables.map((table, at) => (at ? table : { ...table, label: "Renamed" }));
    await owner.call("PUT", "/api/v1/model", { ...body, tables: renamed });
    const version = Number(body.version) + 1;
    expect(await newest()).toMatchObject({ kind: "model_changed", detail: { version } });
    const all = JSON.stringify(await read("?limit=200"));
    for (const secret of [password, fresh, owner.token() ?? "", ownerCredentials.password]) {
      expect(all).not.toContain(secret);
    }
  });

  it("record displays, which see what their wallboards show", async () => {
    const shown = await apiClient(server.origin).call("POST", "/api/v1/display/pairing");
    const call = { code: shown.body.code, name: "Hall", boards: ["desk"] };
    const { body } = await owner.call("POST", "/api/v1/displays", call);
    const subject = { id: body.id, name: "Hall" };
    expect(await newest()).toMatchObject({ kind: "display_paired", subject });
    await owner.call("POST", `/api/v1/displays/${body.id}/revoke`);
    expect(await newest()).toMatchObject({ kind: "display_revoked", subject });
    await owner.call("DELETE", `/api/v1/displays/${body.id}`);
    expect(await newest()).toMatchObject({ kind: "display_removed", subject });
  });

  it("are read page by page and by group, with the right", async () => {
    const first = await read("?limit=2");
    const second = await read(`?limit=2&before=${first.items[1]?.id}`);
    const ids = [...first.items, ...second.items].map(({ id }) => Number(id));
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(new Set(ids).size).toBe(4);
    const people = await read("?group=people&limit=200");
    expect(people.total).toBe(people.items.length);
    expect(new Set(people.items.map(({ kind }) => kind))).toContain("user_added");
    const eve = await member("editor");
    const client = await signedInClient(server.origin, eve.credentials);
    const refused = await client.call("GET", EVENTS);
    expect(refused.body).toMatchObject({ status: 403, right: "activity" });
    expect((await owner.call("GET", `${EVENTS}?group=nonsense`)).status).toBe(400);
  });

  it("name no table, filter or searched text that their reader's role hides", async () => {
    const role = { name: "Auditors", rights: ["activity"], grants: { groups: { read: true } } };
    const { body: auditors } = await owner.call("POST", "/api/v1/roles", role);
    const { credentials } = await member(String(auditors.id));
    const auditor = await signedInClient(server.origin, credentials);
    const url = "https://example.com/hook";
    const webhook = { name: "Hook", url, table: "incidents", events: ["created"] };
    expect((await owner.call("POST", "/api/v1/webhooks", webhook)).status).toBe(201);
    const filter = encodeURIComponent(
      JSON.stringify({ field: "notes", op: "eq", value: "secret" }),
    );
    const tables = "/api/v1/tables";
    await owner.call("GET", `${tables}/incidents/export.jsonl?filter=${filter}`);
    await owner.call("GET", "/api/v1/changes/export.jsonl?search=secret");
    await owner.call("GET", `${tables}/groups/export.jsonl?search=known`);
    const grants = { grants: { incidents: { read: { hide: ["notes"] } }, people: { read: true } } };
    const { body: other } = await owner.call("POST", "/api/v1/roles", { ...role, name: "Other" });
    await owner.call("PATCH", `/api/v1/roles/${other.id}`, grants);
    const shown = async () => (await read("?limit=7", auditor)).items;
    const hidden = JSON.stringify(await shown());
    expect(hidden).not.toMatch(/incidents|people|notes|secret/);
    expect(hidden).toMatch(/example.com.*/);
    expect(hidden).toContain("known");
    expect(await shown()).toContainEqual(
      expect.objectContaining({ kind: "records_exported", detail: { table: null } }),
    );
    await owner.call("PATCH", `/api/v1/roles/${auditors.id}`, grants);
    const some = JSON.stringify(await shown());
    expect(some).toContain("incidents");
    expect(some).not.toMatch(/notes|secret/);
    expect(JSON.stringify(await read("?limit=8"))).toMatch(/notes.*secret/);
  });
});
