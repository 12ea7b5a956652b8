import { describe, expect, it } from "vitest";
import { userColours } from "../../../shared/model/palette.ts";
import { apiClient, signedInClient } from "../testing/api-client.ts";
import { ownerCredentials, serveTests, startTestServer } from "../testing/test-server.ts";

const USERS = "/api/v1/users";
const password = "a long password";

const { server, owner, ownerId, member } = await serveTests("empty");

describe("adding a user", () => {
  it("gives them the least used colour, also to users who are added at the same moment", async () => {
    const calls = userColours.map((name) => ({
      email: `${name}@example.com`,
      name,
      role: "viewer",
    }));
    const added = await Promise.all(calls.map((call) => owner.call("POST", USERS, call)));
    expect(added.map(({ status }) => status)).toEqual(userColours.map(() => 201));
    const { body } = await owner.call("GET", USERS);
    const colours = (body.items as { colour: string }[]).map(({ colour }) => colour);
    const uses = userColours.map((one) => colours.filter((colour) => colour === one).length);
    expect(Math.max(...uses) - Math.min(...uses)).toBeLessThan(2);
  });

  it("with a password lets them sign in at once", async () => {
    const call = {
      email: "ana@example.com",
      name: "Ana",
      role: "editor",
      attributes: { group: "N" },
    };
    const { status, body, headers } = await owner.call("POST", USERS, { ...call, password });
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...call, status: "active" });
    expect(body).not.toHaveProperty("invitation");
    expect(headers.get("location")).toBe(`${USERS}/${body.id}`);
    const ana = await signedInClient(server.origin, { email: "ANA@example.com", password });
    expect((await ana.call("GET", "/api/v1/session")).body.user).toMatchObject(call);
  });

  it("without one answers a link that works once and chooses the password", async () => {
    const call = { email: "bo@example.com", name: "Bo", role: "viewer" };
    const { body } = await owner.call("POST", USERS, call);
    expect(body.status).toBe("invited");
    const link = new URL(String(body.invitation));
    expect(link.origin).toBe(server.origin);
    const path = `/api/v1/invitations/${link.hash.slice(1)}`;
    const guest = apiClient(server.origin);
    expect((await guest.call("GET", path)).body).toEqual({ email: call.email, name: "Bo" });
    const accepted = await guest.call("POST", path, { password, name: "Bo B." });
    expect(accepted.body.user).toMatchObject({ name: "Bo B.", role: "viewer" });
    expect((await guest.call("GET", "/api/v1/session")).status).toBe(200);
    expect((await guest.call("POST", path, { password })).body.code).toBe("not_found");
    expect(server.log.join()).not.toContain(link.hash.slice(1));
  });

  it("sends another link for a lost invitation, which replaces the first", async () => {
    const call = { email: "cy@example.com", name: "Cy", role: "viewer" };
    const { body } = await owner.call("POST", USERS, call);
    const repeated = await owner.call("POST", `${USERS}/${body.id}/invitation`);
    expect(repeated.status).toBe(201);
    expect(Date.parse(String(repeated.body.expires))).toBeGreaterThan(Date.now());
    const invitationPath = (link: unknown) =>
      `/api/v1/invitations/${new URL(String(link)).hash.slice(1)}`;
    const guest = apiClient(server.origin);
    const first = await guest.call("POST", invitationPath(body.invitation), { password });
    expect(first.body.code).toBe("not_found");
    const accepted = await guest.call("POST", invitationPath(repeated.body.link), { password });
    expect(accepted.body.user).toMatchObject({ name: "Cy" });
    const late = await owner.call("POST", `${USERS}/${body.id}/invitation`);
    expect(late.body).toMatchObject({ status: 422, fields: { user: { rule: "state" } } });
  });

  it("refuses an email that is taken in another case, and a missing role", async () => {
    const taken = { email: ownerCredentials.email.toUpperCase(), name: "X", role: "viewer" };
    const duplicate = await owner.call("POST", USERS, taken);
    expect(duplicate.body).toMatchObject({ status: 409, code: "duplicate", field: "email" });
    const role = { email: "new@example.com", name: "X", role: "emperor" };
    const unknown = await owner.call("POST", USERS, role);
    expect(unknown.body).toMatchObject({ status: 422, fields: { role: { rule: "option" } } });
  });
});

describe("what a role may do to users", () => {
  const may = { owner: true, admin: true, editor: false, viewer: false, display: false };

  it.each(Object.entries(may))("%s manages users: %s", async (role, allowed) => {
    const me = await member(role);
    const other = await member("viewer");
    const call = { email: `by-${role}@example.com`, name: "New", role: "viewer", password };
    const { status, body } = await me.call("POST", USERS, call);
    expect(status).toBe(allowed ? 201 : 403);
    if (!allowed) expect(body).toMatchObject({ code: "forbidden", right: "users" });
    const patch = await me.call("PATCH", `${USERS}/${other.id}`, { role: "editor" });
    expect(patch.status).toBe(allowed ? 200 : 403);
    expect((await me.call("DELETE", `${USERS}/${other.id}`)).status).toBe(allowed ? 204 : 403);
    const list = await me.call("GET", USERS);
    const items = list.body.items as Record<string, unknown>[];
    expect(list.body.total).toBe(items.length);
    const listedOwner = items.find((item) => item.id === ownerId);
    expect(Object.keys(listedOwner ?? {}).includes("email")).toBe(allowed);
    expect(Object.keys(listedOwner ?? {})).toEqual(
      expect.arrayContaining(["id", "name", "colour", "status"]),
    );
  });

  it("lets everybody change their own name and colour, and nothing else of themselves", async () => {
    const me = await member("viewer");
    const own = await me.call("PATCH", `${USERS}/${me.id}`, { name: "Vi", colour: "teal" });
    expect(own.body).toMatchObject({ name: "Vi", colour: "teal" });
    const more = await me.call("PATCH", `${USERS}/${me.id}`, { name: "Vi", role: "owner" });
    expect(more.body).toMatchObject({ status: 403, right: "users" });
  });

  it("merges attributes key by key, null removes one", async () => {
    const { id } = await member("editor");
    const path = `${USERS}/${id}`;
    await owner.call("PATCH", path, { attributes: { group: "Network", floor: 3 } });
    const { body } = await owner.call("PATCH", path, {
      attributes: { floor: null, desk: { a: null } },
    });
    expect(body.attributes).toEqual({ group: "Network", desk: { a: null } });
  });
});

describe("owners", () => {
  it("are created and changed by owners only", async () => {
    const admin = await member("admin");
    const call = { email: "o2@example.com", name: "O", role: "owner", password };
    const refused = { status: 403, role: "owner" };
    expect((await admin.call("POST", USERS, call)).body).toMatchObject(refused);
    const path = `${USERS}/${admin.id}`;
    expect((await admin.call("PATCH", path, { role: "owner" })).body).toMatchObject(refused);
    for (const change of [{ role: "viewer" }, { status: "disabled" }, { name: "X" }]) {
      const { body } = await admin.call("PATCH", `${USERS}/${ownerId}`, change);
      expect(body).toMatchObject(refused);
    }
    expect((await admin.call("DELETE", `${USERS}/${ownerId}`)).body).toMatchObject(refused);
  });

  it("are never all removed, also when two remove each other at once", async () => {
    const own = await startTestServer();
    const first = await own.owner();
    const one = await signedInClient(own.origin, ownerCredentials);
    const path = (id: unknown) => `${USERS}/${id}`;
    const last = { status: 422, fields: { role: { rule: "lastOwner" } } };
    expect((await one.call("DELETE", path(first))).body).toMatchObject(last);
    expect((await one.call("PATCH", path(first), { role: "admin" })).body).toMatchObject(last);
    expect((await one.call("PATCH", path(first), { status: "disabled" })).body).toMatchObject(last);
    const second = { email: "second@example.com", name: "Two", role: "owner", password };
    const { body } = await one.call("POST", USERS, second);
    const two = await signedInClient(own.origin, second);
    const answers = await Promise.all([
      one.call("PATCH", path(body.id), { role: "viewer" }),
      two.call("PATCH", path(first), { role: "viewer" }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await own.close();
  });
});

describe("a revoked right", () => {
  it("ends at once: disabled, removed, another role", async () => {
    const disabled = await member("editor");
    await owner.call("PATCH", `${USERS}/${disabled.id}`, { status: "disabled" });
    expect((await disabled.call("GET", USERS)).body.code).toBe("session_ended");
    const repeated = await apiClient(server.origin).call(
      "POST",
      "/api/v1/session",
      disabled.credentials,
    );
    expect(repeated.body.code).toBe("unauthenticated");
    const removed = await member("editor");
    await owner.call("DELETE", `${USERS}/${removed.id}`);
    expect((await removed.call("GET", USERS)).status).toBe(401);
    expect((await owner.call("GET", `${USERS}/${removed.id}`)).status).toBe(404);
    const lowered = await member("admin");
    expect((await lowered.call("GET", USERS)).status).toBe(200);
    await owner.call("PATCH", `${USERS}/${lowered.id}`, { role: "viewer" });
    const session = await lowered.call("GET", "/api/v1/session");
    expect(session.body).toMatchObject({ user: { role: "viewer" }, abilities: { rights: [] } });
  });

  it("is announced to listeners", async () => {
    const received: unknown[] = [];
    const stop = server.auth.notifier.on(["user", "session"], (change) => received.push(change));
    const me = await member("editor");
    await owner.call("PATCH", `${USERS}/${me.id}`, { status: "disabled" });
    const other = await member("viewer");
    await other.call("DELETE", "/api/v1/session");
    stop();
    const session = { topic: "session", id: expect.stringMatching(/^[0-9a-f]{64}$/) };
    expect(received).toEqual(expect.arrayContaining([{ topic: "user", id: me.id }, session]));
  });
});
