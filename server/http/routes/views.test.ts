import pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../store/database.ts";
import { sweepViews } from "../../store/views/views.ts";
import type { ApiClient } from "../testing/api-client.ts";
import { serveTests } from "../testing/test-server.ts";
import { listed, open, storeView, VIEWS } from "../testing/view-calls.ts";

const { server, owner, member } = await serveTests("service-desk", {
  TABLE_MAX_SHARED_VIEWS: "40",
  PERSON_MAX_VIEWS: "20",
});
let editor: ApiClient;

beforeAll(async () => {
  editor = await member("editor");
});

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
    const call = { table: "incidents", name: "Refused", ...more };
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
    const other = await storeView(owner, { shared: true, name: "Early" });
    expect((await owner.call("PATCH", other, { name: "late" })).body.code).toBe("duplicate");
    expect((await owner.call("DELETE", other)).status).toBe(204);
    await storeView(owner, { shared: true, name: "Early" });
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
    let personal = "";
    for (let n = 0; n < 20; n++) personal = await storeView(viewOwner);
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
    const own = await storeView(owner);
    expect((await owner.call("PATCH", own, { shared: true })).body.code).toBe("too_large");
    await viewOwner.call("DELETE", personal);
    await storeView(viewOwner);
    const restored = await viewOwner.call("POST", `${personal}/restore`);
    expect(restored.body.code).toBe("too_large");
    for (const path of (await listed(owner)).slice(0, 20)) await owner.call("DELETE", String(path));
  });
});
