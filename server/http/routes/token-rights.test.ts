import { describe, expect, it } from "vitest";
import {
  ownerCredentials,
  memberPassword as password,
  serveTests,
} from "../testing/test-server.ts";
import { createToken, readTokenRow, TOKENS, tokenCaller } from "../testing/token-calls.ts";

const RECORDS = "/api/v1/tables/incidents/records";

const { server, owner, member } = await serveTests("service-desk");
const callWith = tokenCaller(server.origin);

async function addRole(name: string, grants: object, rights: string[] = []): Promise<string> {
  const { body } = await owner.call("POST", "/api/v1/roles", { name, rights, grants });
  return String(body.id);
}

describe("the rights of a token", () => {
  it("are those of its role within those of its creator, row by row", async () => {
    const ours = { field: "category", op: "eq", value: "$me.category" };
    const mine = { field: "assignee", op: "eq", value: "$me" };
    const hidden = await addRole("Group", {
      incidents: { read: { filter: ours, hide: ["caller"] }, create: true, update: true },
    });
    const own = await addRole("Mine", {
      incidents: { read: { filter: mine, hide: ["notes"] }, update: true },
    });
    const { id, ...client } = await member(hidden, { category: "Network" });
    const add = async (values: object) =>
      String((await owner.call("POST", RECORDS, { values: { title: "t", ...values } })).body.id);
    const both = await add({ category: "Network", assignee: id });
    await add({ category: "Hardware", assignee: id });
    const groupOnly = await add({ category: "Network" });
    const { token } = await createToken(client, { role: own });
    const page = await callWith(token, "GET", `${RECORDS}?limit=1000`);
    const records = page.body.records as { id: string; values: object }[];
    expect(records.map((record) => record.id)).toEqual([both]);
    const names = Object.keys(records[0]?.values ?? {});
    expect(names).toContain("title");
    expect(names.filter((name) => ["caller", "notes"].includes(name))).toEqual([]);
    const edit = (record: string) =>
      callWith(token, "PATCH", `${RECORDS}/${record}?overwrite=true`, { set: { title: "n" } });
    expect((await edit(both)).status).toBe(200);
    expect((await edit(groupOnly)).status).toBe(404);
    expect((await callWith(token, "POST", RECORDS, { values: { title: "new" } })).status).toBe(403);
  });

  it("shrink with those of its creator, and end for good when the creator is disabled, who is enabled without them", async () => {
    const { id, ...client } = await member("editor");
    const { token, id: tokenId } = await createToken(client);
    const post = async () => {
      const { status } = await callWith(token, "POST", RECORDS, { values: { title: "x" } });
      return status;
    };
    const change = (set: object) => owner.call("PATCH", `/api/v1/users/${id}`, set);
    expect(await post()).toBe(201);
    await change({ role: "viewer" });
    expect(await post()).toBe(403);
    expect((await change({ status: "disabled" })).body.ended).toEqual({ tokens: 1, webhooks: 0 });
    expect(await post()).toBe(401);
    expect((await readTokenRow(server.databaseUrl, tokenId)).revoked_at).not.toBeNull();
    // Another disabling ends nothing more, and hides nothing of the first one.
    await change({ status: "disabled" });
    const enabled = await change({ status: "active", role: "editor" });
    expect(enabled.body).toMatchObject({ status: "active", ended: { tokens: 1, webhooks: 0 } });
    expect(await post()).toBe(401);
    expect((await change({ name: "Back again" })).body).not.toHaveProperty("ended");
  });

  it("end for good with the user", async () => {
    const { id, ...client } = await member("editor");
    const { token, id: tokenId } = await createToken(client);
    await owner.call("DELETE", `/api/v1/users/${id}`);
    expect((await callWith(token, "GET", RECORDS)).status).toBe(401);
    expect((await readTokenRow(server.databaseUrl, tokenId)).revoked_at).not.toBeNull();
  });

  it("follow the role of its own, which can't be deleted meanwhile", async () => {
    const role = await addRole("Changing", { incidents: { read: true } });
    const { token, id } = await createToken(owner, { role });
    expect((await callWith(token, "GET", RECORDS)).status).toBe(200);
    const path = `/api/v1/roles/${role}`;
    await owner.call("PATCH", path, { grants: { incidents: null } });
    expect((await callWith(token, "GET", RECORDS)).status).toBe(404);
    const refused = await owner.call("DELETE", path);
    expect([refused.status, refused.body.code, refused.body.tokens]).toEqual([
      422,
      "still_linked",
      1,
    ]);
    await owner.call("DELETE", `${TOKENS}/${id}`);
    expect((await owner.call("DELETE", path)).status).toBe(204);
  });

  it("never open what is for signed-in users only, whatever the role", async () => {
    const { token, id } = await createToken(owner);
    const calls: [string, string, object?][] = [
      ["POST", TOKENS, { name: "Child" }],
      ["GET", TOKENS],
      ["DELETE", `${TOKENS}/${id}`],
      ["POST", "/api/v1/users", { email: "new@example.com", name: "New", role: "owner" }],
      ["POST", "/api/v1/roles", { name: "New", rights: [], grants: {} }],
      ["PUT", "/api/v1/me/password", { current: ownerCredentials.password, password }],
      ["DELETE", "/api/v1/me/sessions"],
    ];
    for (const [method, path, body] of calls) {
      const answer = await callWith(token, method, path, body);
      expect([path, answer.status, answer.body.right]).toEqual([path, 403, "session"]);
    }
    expect((await owner.call("GET", "/api/v1/session")).status).toBe(200);
  });
});

describe("a change set of a token", () => {
  it("G5 is its creator's too, who reviews and applies it as themselves; a user's is not their token's", async () => {
    const { id, ...client } = await member("editor");
    const { token } = await createToken(client);
    const ops = [{ op: "create", table: "incidents", values: { title: "proposed" } }];
    const draft = await callWith(token, "POST", "/api/v1/change-sets", { title: "Nightly", ops });
    expect(draft.body).toMatchObject({ by: { kind: "token", name: "Nightly sync" }, isOwn: true });
    const path = `/api/v1/change-sets/${draft.body.id}`;
    const mine = await client.call("GET", `/api/v1/change-sets?by=${id}`);
    expect(mine.body.items).toMatchObject([{ id: draft.body.id, isOwn: true, state: "draft" }]);
    expect((await owner.call("GET", path)).status).toBe(404);
    const { version } = (await client.call("GET", `${path}/preview`)).body;
    const other = { op: "create", table: "incidents", values: { title: "not reviewed" } };
    await callWith(token, "PATCH", path, { replace: [{ index: 0, op: other }] });
    const changed = await client.call("POST", `${path}/apply`, { version });
    expect(changed.body).toMatchObject({ code: "conflict", state: "draft" });
    const current = (await client.call("GET", `${path}/preview`)).body;
    expect(current.items).toMatchObject([{ after: { title: "not reviewed" } }]);
    const applied = await client.call("POST", `${path}/apply`, { version: current.version });
    expect(applied.body).toMatchObject({ state: "applied", applied: 1 });
    const { body } = await owner.call("GET", `/api/v1/changes?changeSet=${draft.body.id}`);
    expect(body.items).toMatchObject([{ by: { kind: "user", id }, origin: "api" }]);
    expect((await owner.call("GET", path)).body.isOwn).toBe(false);
    const own = await client.call("POST", "/api/v1/change-sets", { ops });
    const others = await callWith(token, "GET", `/api/v1/change-sets/${own.body.id}`);
    expect(others.status).toBe(404);
  });
});
