import { beforeAll, describe, expect, it } from "vitest";
import { type ApiClient, signedInClient } from "../testing/api-client.ts";
import { serveTests } from "../testing/test-server.ts";

const ROLES = "/api/v1/roles";
const RECORDS = "/api/v1/tables/incidents/records";
const ofMyGroup = { field: "group", op: "eq", value: "$me.group" };

const { server, owner } = await serveTests("service-desk");
let made = 0;

beforeAll(async () => {
  for (const group of ["Red", "Blue"]) {
    await owner.call("POST", "/api/v1/tables/groups/records", { values: { name: group } });
    const values = { title: `of ${group}`, group, notes: `secret of ${group}`, location: group };
    await owner.call("POST", RECORDS, { record: `r-${group}`, values });
  }
});

async function makeRole(grants: object, rights: string[] = []): Promise<string> {
  const call = { name: `Role ${++made}`, grants, rights };
  return String((await owner.call("POST", ROLES, call)).body.id);
}

/** A user who manages roles, and sees only some records without their notes. */
async function lead(): Promise<ApiClient> {
  const grants = { incidents: { read: { filter: ofMyGroup, hide: ["notes"] }, history: true } };
  const role = await makeRole(grants, ["roles"]);
  const credentials = { email: `lead${++made}@example.com`, password: "a long password" };
  const call = { ...credentials, name: "Lead", role, attributes: { group: "Red" } };
  expect((await owner.call("POST", "/api/v1/users", call)).status).toBe(201);
  return signedInClient(server.origin, credentials);
}

describe("a change with a base", () => {
  it("preserves what somebody else changed meanwhile", async () => {
    const id = await makeRole({ incidents: { read: true } }, ["activity"]);
    const base = { rights: ["activity"], grants: { incidents: { read: true }, groups: null } };
    const theirs = { rights: [], grants: { incidents: { create: true } } };
    expect((await owner.call("PATCH", `${ROLES}/${id}`, { ...theirs, base })).status).toBe(200);
    const mine = {
      rights: ["activity", "system"],
      grants: { incidents: { history: true }, groups: { read: true } },
    };
    const { body } = await owner.call("PATCH", `${ROLES}/${id}`, { ...mine, base });
    expect(body).toMatchObject({
      rights: ["system"],
      grants: { incidents: { read: true, create: true, history: true }, groups: { read: true } },
    });
  });

  it("is refused where both changed the same, with the three values, and nothing is applied", async () => {
    const id = await makeRole({ incidents: { read: true } });
    const base = { grants: { incidents: { read: true } } };
    const narrow = { grants: { incidents: { read: { filter: ofMyGroup } } }, base };
    expect((await owner.call("PATCH", `${ROLES}/${id}`, narrow)).status).toBe(200);
    const other = { name: "Mine", grants: { incidents: { read: { hide: ["notes"] } } }, base };
    const { status, body } = await owner.call("PATCH", `${ROLES}/${id}`, other);
    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: "conflict",
      fields: {
        "grants/incidents/read": {
          base: true,
          mine: { hide: ["notes"] },
          theirs: { filter: ofMyGroup },
        },
      },
    });
    const after = await owner.call("GET", `${ROLES}/${id}`);
    expect(after.body).toMatchObject({ grants: { incidents: { read: { filter: ofMyGroup } } } });
    expect(after.body.name).not.toBe("Mine");
    expect((await owner.call("PATCH", `${ROLES}/${id}`, narrow)).status).toBe(200);
  });
});

describe("a preview of a role", () => {
  const preview = (caller: ApiClient, call: object) =>
    caller.call("POST", `${ROLES}/preview`, call);

  it("counts and shows records under grants that are not stored, with their attributes", async () => {
    const grants = { incidents: { read: { filter: ofMyGroup, hide: ["notes"] } } };
    const call = { table: "incidents", grants, attributes: { group: "Blue" } };
    const { status, body } = await preview(owner, call);
    expect(status).toBe(200);
    const total = (await owner.call("GET", `${RECORDS}?limit=0`)).body.total;
    expect(body).toMatchObject({ readable: true, total: 1, totalExact: true, outOf: total });
    expect(body.records).toMatchObject([{ id: "r-Blue", values: { title: "of Blue" } }]);
    expect(JSON.stringify(body)).not.toMatch(/secret|notes/);
    const nobody = await preview(owner, { ...call, attributes: {} });
    expect(nobody.body).toMatchObject({ readable: true, total: 0, records: [] });
    const closed = await preview(owner, { ...call, grants: { incidents: {} } });
    expect(closed.body).toMatchObject({ readable: false, total: 0, outOf: total });
  });

  it("never shows more than the caller may see: neither records nor fields", async () => {
    const me = await lead();
    const everything = { incidents: { read: true } };
    const { body } = await preview(me, { table: "incidents", grants: everything });
    expect(body).toMatchObject({ readable: true, total: 1, outOf: 1, records: [{ id: "r-Red" }] });
    expect(body.fields).not.toContain("notes");
    expect(JSON.stringify(body)).not.toContain("secret");
    const other = await preview(me, { table: "groups", grants: { "*": { read: true } } });
    expect(other.status).toBe(404);
    expect((await preview(me, { table: "nothing", grants: {} })).body.code).toBe("not_found");
  });

  it("can't be used to guess the values of a hidden field", async () => {
    const me = await lead();
    const filter = { field: "notes", op: "contains", value: "secret" };
    const grants = { incidents: { read: { filter } } };
    const { status, body } = await preview(me, { table: "incidents", grants });
    expect(status).toBe(403);
    expect(body).not.toHaveProperty("total");
    const unrelated = {
      and: [ofMyGroup, { not: { field: "title", op: "eq", value: { field: "notes" } } }],
    };
    const sly = { incidents: { read: { filter: unrelated } } };
    expect((await preview(me, { table: "incidents", grants: sly })).status).toBe(403);
  });

  it("is refused if the grants are invalid", async () => {
    const grants = { incidents: { read: { hide: ["no such field"] } } };
    const { status, body } = await preview(owner, { table: "incidents", grants });
    expect(status).toBe(422);
    expect(Object.keys(body.fields as object)).toEqual(["grants.incidents.read.hide"]);
  });
});

describe("the list of roles", () => {
  it("shows users who manage roles how many users have each, and nobody else", async () => {
    const me = await lead();
    const { body } = await me.call("GET", ROLES);
    const ownerRole = (body.items as { id: string; users?: number }[]).find(
      (r) => r.id === "owner",
    );
    expect(ownerRole?.users).toBe(1);
    const plain = { email: "plain@example.com", password: "a long password" };
    await owner.call("POST", "/api/v1/users", { ...plain, name: "Plain", role: "viewer" });
    const viewer = await signedInClient(server.origin, plain);
    expect(JSON.stringify((await viewer.call("GET", ROLES)).body)).not.toContain('"users":');
  });
});
