import pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../store/database.ts";
import { sweepViews } from "../../store/views/views.ts";
import { type ApiClient, signedInClient } from "../testing/api-client.ts";
import { serveTests } from "../testing/test-server.ts";

const VIEWS = "/api/v1/views";
const password = "a long password";
const open = { field: "state", op: "in", value: ["New", "Active"] };
const byCaller = { field: "caller", op: "eq", value: "ada" };

const { server, owner, member } = await serveTests("service-desk", {
  WATCHFLOOR_TABLE_MAX_SHARED_VIEWS: "40",
  WATCHFLOOR_PERSON_MAX_VIEWS: "20",
});
let editor: ApiClient;
let viewer: ApiClient;
let made = 0;

beforeAll(async () => {
  editor = await member("editor");
  viewer = await member("viewer");
});

/** A user with given grants and rights. */
async function memberWith(grants: object, rights: string[] = []): Promise<ApiClient> {
  const { body } = await owner.call("POST", "/api/v1/roles", {
    name: `Role ${++made}`,
    rights,
    grants,
  });
  return member(String(body.id));
}

async function storeView(by: ApiClient, more: object = {}): Promise<string> {
  const call = { table: "incidents", name: `View ${++made}`, ...more };
  const { status, body } = await by.call("POST", VIEWS, call);
  expect(body).toMatchObject(call);
  expect(status).toBe(201);
  return `${VIEWS}/${body.id}`;
}

async function listed(by: ApiClient, query = "?table=incidents"): Promise<unknown[]> {
  const { body } = await by.call("GET", `${VIEWS}${query}`);
  return (body.items as { id: string }[]).map(({ id }) => `${VIEWS}/${id}`);
}

describe("a view", () => {
  it("is stored with the table's defaults, changed, removed and restored", async () => {
    const path = await storeView(editor, { filter: open });
    const { body } = await editor.call("GET", path);
    expect(body).toMatchObject({
      shared: false,
      sort: ["-opened_at"],
      columns: [],
      group: null,
      grouping: null,
      owner: { name: expect.any(String) },
    });
    const settings = {
      sort: ["priority", "-due_at"],
      columns: [
        { field: "number", pinned: true },
        { field: "title", width: 300 },
      ],
      group: "priority",
      grouping: { field: "opened_at", by: "month" },
    };
    expect((await editor.call("PATCH", path, settings)).body).toMatchObject({
      ...settings,
      filter: open,
    });
    expect((await editor.call("PATCH", path, { filter: null })).body).toMatchObject(settings);
    expect((await editor.call("DELETE", path)).status).toBe(204);
    expect((await editor.call("GET", path)).status).toBe(404);
    expect((await editor.call("DELETE", path)).status).toBe(404);
    expect(await listed(editor)).not.toContain(path);
    expect((await editor.call("POST", `${path}/restore`)).body).toMatchObject(settings);
    expect((await editor.call("POST", `${path}/restore`)).status).toBe(404);
    expect(await listed(editor)).toContain(path);
    expect(await listed(editor, "")).toContain(path);
    expect(await listed(editor, "?table=groups")).toEqual([]);
  });

  it.each([
    [{ filter: { field: "nothing", op: "eq", value: 1 } }, "invalid_request"],
    [{ filter: { field: "opened_at", op: "eq", value: "soon" } }, "invalid_request"],
    [{ filter: { field: "title", op: "eq", value: "a\0b" } }, "invalid_request"],
    [{ sort: ["nothing"] }, "invalid_request"],
    [{ columns: [{ field: "nothing" }] }, "invalid_request"],
    [{ columns: [{ field: "title" }, { field: "title" }] }, "invalid_request"],
    [{ columns: [{ field: "title", width: 1 }] }, "invalid_request"],
    [{ columns: [{ field: "title", summary: "sum" }] }, "invalid_request"],
    [{ group: "title" }, "invalid_request"],
    [{ grouping: { field: "nothing" } }, "invalid_request"],
    [{ grouping: { field: "opened_at" } }, "invalid_request"],
    [{ grouping: { field: "reassignments" } }, "invalid_request"],
    [{ name: " " }, "invalid_request"],
    [{ name: "a\u202eb" }, "invalid_request"],
    [{ surprise: 1 }, "invalid_request"],
    [{ table: "secrets" }, "not_found"],
  ])("refuses %j", async (more, code) => {
    const call = { table: "incidents", name: `View ${++made}`, ...more };
    expect((await editor.call("POST", VIEWS, call)).body.code).toBe(code);
    const path = await storeView(editor);
    if ("table" in more) return;
    expect((await editor.call("PATCH", path, more)).body.code).toBe(code);
    await editor.call("DELETE", path);
  });

  it("has a unique name among those that one user sees together", async () => {
    await storeView(owner, { name: "Late", shared: true });
    await storeView(editor, { name: "Late" });
    await storeView(owner, { name: "Late" });
    const repeated = { table: "incidents", name: "LATE" };
    expect((await editor.call("POST", VIEWS, repeated)).body.code).toBe("duplicate");
    const other = await storeView(owner, { shared: true });
    expect((await owner.call("PATCH", other, { name: "late" })).body.code).toBe("duplicate");
    expect((await owner.call("DELETE", other)).status).toBe(204);
    await storeView(owner, { shared: true, name: `View ${made}` });
    expect((await owner.call("POST", `${other}/restore`)).body.code).toBe("duplicate");
  });

  it("V3 that two users change at once merges property by property, and nobody is overwritten", async () => {
    const path = await storeView(owner, { shared: true, filter: open });
    const admin = await member("admin");
    const { body: shown } = await admin.call("GET", path);
    await owner.call("PATCH", path, { sort: ["title"], base: { sort: shown.sort } });
    const both = { filter: null, base: { filter: shown.filter } };
    expect((await admin.call("PATCH", path, both)).body).toMatchObject({
      sort: ["title"],
      filter: null,
    });
    const late = { sort: ["number"], group: "priority", base: { sort: shown.sort, group: null } };
    const refused = await admin.call("PATCH", path, late);
    expect(refused.body).toMatchObject({
      code: "conflict",
      fields: {
        sort: { base: shown.sort, mine: ["number"], theirs: ["title"], by: { kind: "user" } },
      },
    });
    expect((await owner.call("GET", path)).body.group).toBeNull();
  });

  it("is limited in size", async () => {
    const value = Array.from({ length: 900 }, (_, n) => `${n} ${"x".repeat(80)}`);
    const call = { table: "incidents", name: "Long", filter: { field: "title", op: "in", value } };
    const refused = await editor.call("POST", VIEWS, call);
    expect(refused.body).toMatchObject({ code: "too_large", limit: 65_536 });
    const half = { ...call.filter, value: value.slice(0, 450) };
    const path = await storeView(editor, { filter: half });
    const columns = [{ field: "title", width: 90 }];
    const merged = { filter: { and: [half, half] }, columns };
    expect((await editor.call("PATCH", path, merged)).body.code).toBe("too_large");
    expect((await editor.call("PATCH", path, { columns })).body).toMatchObject({ columns });
    await editor.call("DELETE", path);
  });

  it("that was removed too long ago can't be restored, and is deleted", async () => {
    const path = await storeView(editor);
    await editor.call("DELETE", path);
    const program = new pg.Client({ connectionString: server.databaseUrl });
    await program.connect();
    const count = async () =>
      (await program.query("select 1 from watchfloor.view where id = $1", [path.split("/").at(-1)]))
        .rowCount;
    await program.query(
      "update watchfloor.view set removed_at = now() - interval '31 days' where id = $1",
      [path.split("/").at(-1)],
    );
    expect((await editor.call("POST", `${path}/restore`)).body.code).toBe("not_found");
    expect(await count()).toBe(1);
    const database = openDatabase({
      connectionString: server.databaseUrl,
      poolSize: 1,
      onError: () => {},
    });
    await sweepViews(database.kysely);
    expect(await count()).toBe(0);
    await database.close();
    await program.end();
  });

  it("is limited in number", async () => {
    const viewOwner = await member("editor");
    const one = { table: "incidents", name: "x" };
    for (let n = 0; n < 20; n++) await storeView(viewOwner);
    expect((await viewOwner.call("POST", VIEWS, one)).body).toMatchObject({
      code: "too_large",
      limit: 20,
    });
    const left =
      40 -
      ((await owner.call("GET", VIEWS)).body.items as { shared: boolean }[]).filter(
        ({ shared }) => shared,
      ).length;
    for (let n = 0; n < left; n++) await storeView(owner, { shared: true });
    const shared = { ...one, shared: true };
    expect((await owner.call("POST", VIEWS, shared)).body.code).toBe("too_large");
    for (const path of (await listed(owner)).slice(0, 20)) await owner.call("DELETE", String(path));
  });
});

describe("V1 users", () => {
  it("who write in the table have personal views, and nobody else sees them", async () => {
    const path = await storeView(editor);
    expect(await listed(editor)).toContain(path);
    for (const other of [owner, viewer]) {
      expect(await listed(other)).not.toContain(path);
      for (const [method, body] of [["GET"], ["PATCH", { name: "Mine" }], ["DELETE"]] as const) {
        expect((await other.call(method, path, body)).status).toBe(404);
      }
    }
    const call = { table: "incidents", name: "x" };
    const refused = await viewer.call("POST", VIEWS, call);
    expect(refused.body).toMatchObject({ code: "forbidden", right: "update" });
    const transitionUser = await memberWith({
      incidents: { read: true, transitions: ["resolve"] },
    });
    await storeView(transitionUser);
    expect((await transitionUser.call("POST", VIEWS, { ...call, table: "groups" })).status).toBe(
      404,
    );
  });

  it("with the right share them, and change what is shared", async () => {
    const call = { table: "incidents", name: "x", shared: true };
    const own = await storeView(editor);
    for (const refused of [
      await editor.call("POST", VIEWS, call),
      await editor.call("PATCH", own, { shared: true }),
    ]) {
      expect(refused.body).toMatchObject({ code: "forbidden", right: "sharedViews" });
    }
    const curator = await memberWith({ "*": { read: true } }, ["sharedViews"]);
    const path = await storeView(curator);
    expect((await curator.call("PATCH", path, { shared: true })).body.shared).toBe(true);
    expect(await listed(viewer)).toContain(path);
    for (const [method, body] of [["PATCH", { name: "y" }], ["DELETE"]] as const) {
      expect((await editor.call(method, path, body)).body.code).toBe("forbidden");
    }
    const { body: taken } = await owner.call("PATCH", path, { shared: false });
    const { body: me } = await owner.call("GET", "/api/v1/session");
    expect(taken.owner).toMatchObject({ id: (me.user as { id: string }).id });
    expect(await listed(curator)).not.toContain(path);
  });

  it("leave shared views behind when they are removed, and no personal ones", async () => {
    const email = `gone${++made}@example.com`;
    const call = { email, name: "Gone", role: "admin", password };
    const { body: user } = await owner.call("POST", "/api/v1/users", call);
    const removedOwner = await signedInClient(server.origin, { email, password });
    const [shared, own] = [
      await storeView(removedOwner, { shared: true }),
      await storeView(removedOwner),
    ];
    expect((await owner.call("DELETE", `/api/v1/users/${user.id}`)).status).toBe(204);
    expect((await owner.call("GET", shared)).body).toMatchObject({ shared: true, owner: null });
    expect((await owner.call("GET", own)).status).toBe(404);
  });
});

describe("V2 a hidden field", () => {
  const hiddenCaller = {
    "*": { read: true, update: true },
    incidents: { read: { hide: ["caller"] } },
  };

  it("hides the views that depend on it", async () => {
    const reader = await memberWith(hiddenCaller);
    const hidden = await Promise.all(
      [
        { filter: byCaller },
        { sort: ["caller"] },
        { filter: { not: byCaller } },
        { grouping: { field: "caller" } },
      ].map((settings) => storeView(owner, { shared: true, ...settings })),
    );
    const plain = await storeView(owner, {
      shared: true,
      columns: [{ field: "caller" }, { field: "title" }],
    });
    const shown = await listed(reader);
    for (const path of hidden) {
      expect(shown).not.toContain(path);
      expect((await reader.call("GET", path)).status).toBe(404);
    }
    expect((await reader.call("GET", plain)).body.columns).toEqual([{ field: "title" }]);
    const noIncidents = await memberWith({ groups: { read: true } });
    expect(await listed(noIncidents)).toEqual([]);
    expect((await noIncidents.call("GET", plain)).status).toBe(404);
  });

  it("can't be used in a view, and stays in place when the rest is changed", async () => {
    const worker = { read: { hide: ["caller"] }, update: true };
    const curator = await memberWith({ incidents: worker }, ["sharedViews"]);
    for (const settings of [
      { filter: byCaller },
      { sort: ["-caller"] },
      { columns: [{ field: "caller" }] },
    ]) {
      const call = { table: "incidents", name: `View ${++made}`, ...settings };
      expect((await curator.call("POST", VIEWS, call)).body).toMatchObject({
        code: "invalid_request",
        message: expect.not.stringContaining("right"),
      });
    }
    const columns = [{ field: "caller", width: 90 }, { field: "title" }];
    const path = await storeView(owner, { shared: true, columns });
    const document = {
      columns: [{ field: "number" }, { field: "title" }],
      base: { columns: [{ field: "title" }] },
    };
    expect((await curator.call("PATCH", path, document)).body.columns).toEqual(document.columns);
    expect((await owner.call("GET", path)).body.columns).toEqual([...document.columns, columns[0]]);
  });

  it("takes part in no colour rule that its reader is sent or may write, and stays in the view", async () => {
    const worker = { read: { hide: ["caller"] }, update: true };
    const curator = await memberWith({ incidents: worker }, ["sharedViews"]);
    const byState = { filter: open, colour: "red", field: null };
    const secret = [
      { filter: { and: [open, byCaller] }, colour: "blue", field: null },
      { filter: open, colour: "green", field: "caller" },
    ];
    const appearance = { height: "tall", rules: [secret[0], byState, secret[1]] };
    const path = await storeView(owner, { shared: true, appearance });
    const shown = { height: "tall", rules: [byState] };
    expect((await curator.call("GET", path)).body.appearance).toEqual(shown);
    for (const rule of secret) {
      const refused = await curator.call("PATCH", path, { appearance: { rules: [rule] } });
      expect(refused.body.code).toBe("invalid_request");
    }
    const changed = { appearance: { height: "short", rules: [] }, base: { appearance: shown } };
    const answer = await curator.call("PATCH", path, changed);
    expect(answer.body.appearance).toEqual(changed.appearance);
    const stored = { height: "short", rules: secret };
    expect((await owner.call("GET", path)).body.appearance).toEqual(stored);
    await curator.call("PATCH", path, { name: `View ${++made}` });
    expect((await owner.call("GET", path)).body.appearance).toEqual(stored);
  });
});
