import { describe, expect, it } from "vitest";
import { administrativeRights, type Grant } from "../../../shared/policy/role.ts";
import { apiClient } from "../testing/api-client.ts";
import { serveTests } from "../testing/test-server.ts";

const ROLES = "/api/v1/roles";
const USERS = "/api/v1/users";
const RECORDS = "/api/v1/tables/incidents/records";
const password = "a long password";
const ofMyGroup = { field: "group", op: "eq", value: "$me.group" };

const { server, owner, member } = await serveTests("service-desk");
let made = 0;

async function makeRole(grants: object, rights: string[] = []): Promise<string> {
  const { status, body } = await owner.call("POST", ROLES, {
    name: `Role ${++made}`,
    grants,
    rights,
  });
  expect(body).toMatchObject({ rights, grants });
  expect(status).toBe(201);
  return String(body.id);
}

describe("a declared role", () => {
  it("is created, listed, changed by merging, and removed", async () => {
    const id = await makeRole({ incidents: { read: true, history: true } }, ["activity"]);
    const path = `${ROLES}/${id}`;
    const grants = { incidents: { create: true, history: null }, groups: { read: true } };
    const { body } = await owner.call("PATCH", path, { grants });
    expect(body).toMatchObject({
      rights: ["activity"],
      grants: { incidents: { read: true, create: true }, groups: { read: true } },
    });
    const taken = await owner.call("PATCH", path, { grants: { groups: null } });
    expect(taken.body.grants).toEqual({ incidents: { read: true, create: true } });
    expect((await owner.call("PATCH", path, { grants: {} })).body.grants).toEqual({});
    const list = await owner.call("GET", ROLES);
    const ids = (list.body.items as { id: string }[]).map((role) => role.id);
    expect(ids).toEqual(
      expect.arrayContaining(["owner", "admin", "editor", "viewer", "display", id]),
    );
    expect((await owner.call("DELETE", path)).status).toBe(204);
    expect((await owner.call("GET", path)).status).toBe(404);
  });

  it("gives a user the records and fields that it grants, and nothing else", async () => {
    for (const group of ["Red", "Blue"]) {
      await owner.call("POST", "/api/v1/tables/groups/records", { values: { name: group } });
      const values = { title: `of ${group}`, group, notes: "secret" };
      await owner.call("POST", RECORDS, { record: `r-${group}`, values });
    }
    const role = await makeRole({ incidents: { read: { filter: ofMyGroup, hide: ["notes"] } } });
    const ana = await member(role, { group: "Red" });
    const page = await ana.call("GET", RECORDS);
    expect(page.body).toMatchObject({ total: 1, records: [{ id: "r-Red" }] });
    expect(JSON.stringify(page.body)).not.toMatch(/secret|notes/);
    expect((await ana.call("GET", `${RECORDS}/r-Blue`)).status).toBe(404);
    expect((await ana.call("GET", "/api/v1/tables/groups/records")).status).toBe(404);
    await owner.call("PATCH", `${USERS}/${ana.id}`, { attributes: { group: "Blue" } });
    expect((await ana.call("GET", RECORDS)).body.records).toMatchObject([{ id: "r-Blue" }]);
    await owner.call("PATCH", `${ROLES}/${role}`, { grants: { incidents: null } });
    expect((await ana.call("GET", RECORDS)).status).toBe(404);
    const session = await ana.call("GET", "/api/v1/session");
    expect(session.body.abilities).toEqual({ rights: [], tables: {} });
  });

  it("can't be removed while somebody has it", async () => {
    const id = await makeRole({});
    const ana = await member(id);
    const refused = await owner.call("DELETE", `${ROLES}/${id}`);
    expect(refused.body).toMatchObject({ code: "still_linked", users: 1 });
    await owner.call("PATCH", `${USERS}/${ana.id}`, { role: "viewer" });
    expect((await owner.call("DELETE", `${ROLES}/${id}`)).status).toBe(204);
  });

  it("is never removed and assigned at the same moment", async () => {
    for (let round = 0; round < 8; round++) {
      const id = await makeRole({});
      const call = { email: `race${round}@example.com`, name: "R", role: id, password };
      const [removed, given] = await Promise.all([
        owner.call("DELETE", `${ROLES}/${id}`),
        owner.call("POST", USERS, call),
      ]);
      expect([removed.status, given.status]).not.toEqual([204, 201]);
    }
  });
});

describe("these are refused", () => {
  const grant = (incidents: unknown) => ({ incidents });
  it.each<[string, object, string]>([
    ["a table that is not there", { nothing: { read: true } }, "grants.nothing"],
    [
      "a hidden field that is not there",
      grant({ read: { hide: ["x"] } }),
      "grants.incidents.read.hide",
    ],
    [
      "a row filter on a field that is not there",
      grant({ read: { filter: { field: "x", op: "isEmpty" } } }),
      "grants.incidents.read.filter/field",
    ],
    [
      "a row filter by the clock",
      grant({ update: { filter: { field: "due_at", op: "lt", value: "$now" } } }),
      "grants.incidents.update.filter",
    ],
    ["fields of all other tables", { "*": { read: { hide: ["notes"] } } }, "grants.*.read"],
    [
      "a transition that is not there",
      grant({ transitions: ["fly"] }),
      "grants.incidents.transitions",
    ],
  ])("%s", async (_, grants, at) => {
    const { status, body } = await owner.call("POST", ROLES, { name: "No", grants, rights: [] });
    expect(status).toBe(422);
    expect(Object.keys(body.fields as object)).toEqual([at]);
  });

  it("a missing right or grant, a name that is taken in another case", async () => {
    const call = (body: object) =>
      owner.call("POST", ROLES, { name: "N", grants: {}, rights: [], ...body });
    expect((await call({ rights: ["fly"] })).status).toBe(400);
    expect((await call({ grants: grant({ reed: true }) })).status).toBe(400);
    expect((await call({ name: "ViEwEr" })).body).toMatchObject({
      code: "duplicate",
      field: "name",
    });
    expect((await call({ name: "Once" })).status).toBe(201);
    expect((await call({ name: "once" })).body.code).toBe("duplicate");
  });

  it("changing or removing a built-in role, also for an owner", async () => {
    for (const id of ["owner", "admin", "editor", "viewer", "display"]) {
      expect((await owner.call("PATCH", `${ROLES}/${id}`, { name: "X" })).status).toBe(403);
      expect((await owner.call("DELETE", `${ROLES}/${id}`)).status).toBe(403);
    }
  });

  it("managing roles without the right; names alone are public", async () => {
    const id = await makeRole({ incidents: { read: true } });
    for (const role of ["editor", "viewer", "display"]) {
      const me = await member(role);
      const right = { code: "forbidden", right: "roles" };
      const call = { name: `By ${role}`, grants: {}, rights: [] };
      expect((await me.call("POST", ROLES, call)).body).toMatchObject(right);
      expect((await me.call("PATCH", `${ROLES}/${id}`, { name: "Y" })).body).toMatchObject(right);
      expect((await me.call("DELETE", `${ROLES}/${id}`)).body).toMatchObject(right);
      const known = await me.call("GET", `${ROLES}/${id}`);
      expect(Object.keys(known.body).sort()).toEqual(["builtIn", "id", "name"]);
    }
  });
});

describe("nobody grants rights that they do not have", () => {
  const reads: Grant = { read: { filter: ofMyGroup as never, hide: ["notes"] }, history: true };

  it("neither rights nor records nor fields, neither to others nor to themselves", async () => {
    const id = await makeRole({ incidents: reads }, ["roles", "users"]);
    const lead = await member(id, { group: "Red" });
    const attempt = async (grants: object, rights: string[] = []) => {
      const call = { name: `By lead ${++made}`, grants, rights };
      return (await lead.call("POST", ROLES, call)).status;
    };
    expect(await attempt({ incidents: reads }, ["users"])).toBe(201);
    const narrower = { and: [ofMyGroup, { field: "state", op: "eq", value: "New" }] };
    const less = { read: { filter: narrower, hide: ["notes", "caller"] } };
    expect(await attempt({ incidents: less })).toBe(201);
    for (const more of [
      { read: true },
      { read: { filter: ofMyGroup } },
      { read: { hide: ["notes"] } },
      { ...reads, create: true },
      { ...reads, update: { fields: ["title"] } },
      { ...reads, transitions: ["activate"] },
    ]) {
      expect(await attempt({ incidents: more })).not.toBe(201);
    }
    expect(await attempt({ groups: { read: true } })).toBe(403);
    expect(await attempt({}, ["model"])).toBe(403);
    const own = `${ROLES}/${id}`;
    const grown = await lead.call("PATCH", own, { rights: [...administrativeRights] });
    expect(grown.status).toBe(403);
  });

  it("nor rows by another user's attribute: of a new user, or of one with the same role", async () => {
    const role = await makeRole({ incidents: reads }, ["users"]);
    const lead = await member(role, { group: "Red", desk: 1 });
    const call = (attributes: object) => {
      const email = `sock${++made}@example.com`;
      return lead.call("POST", USERS, { email, name: "S", role, attributes, password });
    };
    expect((await call({ group: "Blue" })).status).toBe(403);
    expect((await call({ group: ["Red", "Blue"] })).status).toBe(403);
    expect((await call({ group: "Red", desk: 2 })).status).toBe(201);
    const { body } = await call({});
    const path = `${USERS}/${body.id}`;
    expect((await lead.call("PATCH", path, { attributes: { group: "Blue" } })).status).toBe(403);
    expect((await lead.call("PATCH", path, { attributes: { group: "Red" } })).status).toBe(200);
    const blue = await member(role, { group: "Blue" });
    const other = `${USERS}/${blue.id}`;
    for (const [method, at] of [
      ["POST", `${other}/password-reset`],
      ["DELETE", `${other}/factors`],
      ["DELETE", `${other}/sessions`],
      ["DELETE", other],
    ] as const) {
      expect((await lead.call(method, at)).status).toBe(403);
    }
    expect((await lead.call("PATCH", other, { status: "disabled" })).status).toBe(403);
  });

  it.each<[string, (user: string, role: string) => Promise<unknown>]>([
    ["by another role", (user) => owner.call("PATCH", `${USERS}/${user}`, { role: "admin" })],
    [
      "by an attribute that opens rows",
      (user) => owner.call("PATCH", `${USERS}/${user}`, { attributes: { group: "Blue" } }),
    ],
    [
      "because their role grants more",
      (_, role) => owner.call("PATCH", `${ROLES}/${role}`, { rights: ["users", "activity"] }),
    ],
  ])(
    "nor by a link that they created before the user might gain rights %s",
    async (_how, promote) => {
      const lead = await member(await makeRole({ incidents: reads }, ["users"]), { group: "Red" });
      const helper = await makeRole({ incidents: reads });
      const someone = await member(helper);
      const reset = await lead.call("POST", `${USERS}/${someone.id}/password-reset`);
      const invited = await lead.call("POST", USERS, {
        email: `invited${++made}@example.com`,
        name: "I",
        role: helper,
      });
      const tokenOf = (link: unknown) => new URL(String(link)).hash.slice(1);
      const guest = apiClient(server.origin);
      const paths = [
        `/api/v1/password-resets/${tokenOf(reset.body.link)}`,
        `/api/v1/invitations/${tokenOf(invited.body.invitation)}`,
      ];
      await owner.call("PATCH", `${USERS}/${someone.id}`, {
        attributes: { desk: "by the window" },
      });
      for (const path of paths) expect((await guest.call("GET", path)).status).toBe(200);
      for (const id of [someone.id, invited.body.id]) await promote(String(id), helper);
      for (const path of paths) {
        expect((await guest.call("POST", path, { password })).status).toBe(404);
      }
    },
  );

  it("nor by making somebody an admin, changing users with more rights, or changing their own row filter", async () => {
    const lead = await member(await makeRole({ incidents: reads }, ["users"]), { group: "Red" });
    const admin = await member("admin");
    const call = { email: `new${made}@example.com`, name: "N", password };
    for (const role of ["admin", "editor", "viewer"]) {
      expect((await lead.call("POST", USERS, { ...call, role })).status).toBe(403);
    }
    expect((await lead.call("PATCH", `${USERS}/${admin.id}`, { status: "disabled" })).status).toBe(
      403,
    );
    expect((await lead.call("DELETE", `${USERS}/${admin.id}`)).status).toBe(403);
    const updated = await lead.call("PATCH", `${USERS}/${lead.id}`, {
      attributes: { group: "Blue" },
    });
    expect(updated.status).toBe(403);
    expect((await lead.call("POST", USERS, { ...call, role: "display" })).status).toBe(201);
  });
});
