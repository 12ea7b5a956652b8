import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { type ApiClient, signedInClient } from "../testing/api-client.ts";
import { ownerCredentials, serveTests, startTestServer } from "../testing/test-server.ts";

const WALLBOARDS = "/api/v1/wallboards";
const layout = { x: 0, y: 0, w: 3, h: 2 };
const open = { id: "open", kind: "number", table: "incidents", measure: { op: "count" }, layout };
const callers = { ...open, id: "callers", measure: { op: "distinct", field: "caller" } };

const { server, owner, member } = await serveTests("service-desk");
let made = 0;

async function newWallboard(tiles: object[], more: object = {}): Promise<string> {
  const { status, body } = await owner.call("POST", WALLBOARDS, {
    name: `Wallboard ${++made}`,
    tiles,
    ...more,
  });
  expect(body).toMatchObject({ name: `Wallboard ${made}` });
  expect(status).toBe(201);
  return `${WALLBOARDS}/${body.id}`;
}

/** A user who manages wallboards and may not see the caller of an incident. */
async function restrictedManager(): Promise<ApiClient> {
  const grants = { "*": { read: true }, incidents: { read: { hide: ["caller"] } } };
  const role = { name: `Role ${++made}`, rights: ["wallboards"], grants };
  const { body } = await owner.call("POST", "/api/v1/roles", role);
  return member(String(body.id));
}

const ids = (body: Record<string, unknown>) => (body.tiles as { id: string }[]).map(({ id }) => id);

describe("a wallboard", () => {
  it("is created and published at once, with the defaults of its tiles", async () => {
    const path = await newWallboard([open]);
    const { body } = await owner.call("GET", path);
    expect(body).toMatchObject({
      version: 1,
      grid: { columns: 12, rows: 8 },
      zone: null,
      tiles: [open],
      hidden: [],
      published: { version: 1, by: { name: expect.any(String) } },
    });
    const list = await owner.call("GET", WALLBOARDS);
    expect(list.body.items).toEqual(expect.arrayContaining([body]));
    expect((await owner.call("DELETE", path)).status).toBe(204);
    expect((await owner.call("GET", path)).status).toBe(404);
    expect((await owner.call("DELETE", path)).status).toBe(404);
  });

  it("names the tiles that have too many groups for their order when it is published", async () => {
    const client = new Client({ connectionString: server.databaseUrl });
    await client.connect();
    await client.query(
      "insert into incidents (title) select 'Group ' || i from generate_series(1, 5001) i",
    );
    await client.end();
    const byTitle = { ...open, kind: "breakdown", group: "title" };
    const tiles = [byTitle, { ...byTitle, id: "sorted", order: "key" }, { ...open, id: "plain" }];
    const { body } = await owner.call("POST", WALLBOARDS, { name: "Groups", tiles });
    expect(body).toMatchObject({ tooManyGroups: ["sorted"] });
    const path = `${WALLBOARDS}/${body.id}`;
    expect((await owner.call("GET", path)).body).not.toHaveProperty("tooManyGroups");
    expect((await owner.call("PATCH", path, { tiles: { sorted: null } })).status).toBe(200);
    const { body: published } = await owner.call("POST", `${path}/publish`, {});
    expect(published).toMatchObject({ tooManyGroups: [] });
  });

  it.each([
    [{ ...open, surprise: 1 }, 400],
    [{ ...open, kind: "gauge" }, 400],
    [{ ...open, id: "__proto__" }, 400],
    [{ ...open, id: "constructor" }, 400],
    [{ ...open, zone: "Mars/Olympus" }, 400],
    [{ ...open, title: "a\0b" }, 400],
    [{ ...open, table: "secrets" }, 422],
    [{ ...open, measure: { op: "sum", field: "title" } }, 422],
    [{ ...open, filter: { field: "nothing", op: "eq", value: 1 } }, 422],
  ])("refuses %j", async (tile, status) => {
    expect((await owner.call("POST", WALLBOARDS, { name: "x", tiles: [tile] })).status).toBe(
      status,
    );
  });

  it("is changed as a draft: screens show the published version until then", async () => {
    const path = await newWallboard([open]);
    const viewer = await member("viewer");
    const changed = await owner.call("PATCH", path, { tiles: { open: { title: "Open" } } });
    expect(changed.body).toMatchObject({ version: 2, published: { version: 1 } });
    expect(ids((await viewer.call("GET", path)).body)).toEqual(["open"]);
    expect((await viewer.call("GET", path)).body.tiles).toEqual([open]);
    expect((await owner.call("POST", `${path}/publish`, { version: 1 })).status).toBe(409);
    const published = await owner.call("POST", `${path}/publish`, { version: 2 });
    expect(published.body).toMatchObject({ version: 2, published: { version: 2 } });
    expect((await viewer.call("GET", path)).body.tiles).toEqual([{ ...open, title: "Open" }]);
  });

  it("that is only a draft is visible only to users who manage wallboards", async () => {
    const path = await newWallboard([open], { draft: true });
    const viewer = await member("viewer");
    expect((await viewer.call("GET", path)).status).toBe(404);
    const list = await viewer.call("GET", WALLBOARDS);
    expect(JSON.stringify(list.body)).not.toContain(path.slice(WALLBOARDS.length + 1));
  });
});

describe("two users on one wallboard", () => {
  it("both succeed if they change different things", async () => {
    const path = await newWallboard([open, callers]);
    const movedLayout = { ...layout, x: 6 };
    await owner.call("PATCH", path, { tiles: { open: { layout: movedLayout } } });
    await owner.call("PATCH", path, { tiles: { open: { title: "A" } }, base: { tiles: {} } });
    const { body } = await owner.call("PATCH", path, { tiles: { callers: null } });
    expect(body.tiles).toEqual([{ ...open, layout: movedLayout, title: "A" }]);
    const taken = await owner.call("PATCH", path, { tiles: { open: { title: null } } });
    expect(taken.body.tiles).toEqual([{ ...open, layout: movedLayout }]);
    const added = await owner.call("PATCH", path, {
      tiles: { now: { kind: "clock", layout: { x: 3, y: 3, w: 1, h: 1 } } },
    });
    expect(ids(added.body)).toEqual(["open", "now"]);
  });

  it("get a conflict if one would overwrite the other", async () => {
    const path = await newWallboard([open]);
    await owner.call("PATCH", path, { tiles: { open: { title: "Theirs" } } });
    const base = { tiles: { open: { title: null } } };
    const { status, body } = await owner.call("PATCH", path, {
      tiles: { open: { title: "Mine" } },
      base,
    });
    expect(status).toBe(409);
    expect(body.fields).toMatchObject({
      "tiles.open.title": { base: null, mine: "Mine", theirs: "Theirs" },
    });
    const wallboard = { tiles: [open] };
    expect((await owner.call("PATCH", path, wallboard)).status).toBe(428);
    expect((await owner.call("PATCH", path, { ...wallboard, version: 1 })).status).toBe(409);
    expect((await owner.call("PATCH", path, { ...wallboard, version: 2 })).status).toBe(200);
    expect((await owner.call("PATCH", `${path}?overwrite=true`, wallboard)).status).toBe(200);
  });
});

describe("T3 a hidden field", () => {
  it("can't be used in a tile, is not revealed by one, and can't be published", async () => {
    const manager = await restrictedManager();
    const refused = await manager.call("POST", WALLBOARDS, { name: "x", tiles: [callers] });
    expect(refused.status).toBe(422);
    const unknown = { ...callers, measure: { op: "distinct", field: "nothing" } };
    const other = await manager.call("POST", WALLBOARDS, { name: "x", tiles: [unknown] });
    expect(JSON.stringify(refused.body.fields)).toBe(
      JSON.stringify(other.body.fields).replaceAll("nothing", "caller"),
    );
    const thresholds = [{ at: 1, word: "Busy", colour: "red" }];
    const path = await newWallboard([open, { ...callers, thresholds }]);
    const { body } = await manager.call("GET", path);
    expect([ids(body), body.hidden]).toEqual([["open"], ["callers"]]);
    expect((await manager.call("POST", `${path}/publish`, {})).status).toBe(403);
    const peeking = { tiles: { callers: { title: "x" } } };
    expect((await manager.call("PATCH", path, peeking)).status).toBe(404);
    const alert = { tile: "callers", word: "Busy" };
    expect((await manager.call("POST", `${path}/acknowledgements`, alert)).status).toBe(404);
    for (const tiles of [{}, [open], undefined]) {
      const patch = { tiles, base: { tiles: { callers: { measure: null } } }, version: 1 };
      const answer = await manager.call("PATCH", path, patch);
      expect(answer.status).toBe(404);
      expect(JSON.stringify(answer.body)).not.toContain("distinct");
    }
  });

  it("is not checked when somebody changes another tile", async () => {
    const manager = await restrictedManager();
    const path = await newWallboard([open, { ...callers, filter: null }]);
    const call = { tiles: { open: { title: "Mine" } } };
    expect((await manager.call("PATCH", path, call)).status).toBe(200);
    expect((await owner.call("GET", path)).body.tiles).toEqual([
      { ...open, title: "Mine" },
      { ...callers, filter: null },
    ]);
  });

  it("stays on the wallboard when somebody replaces the tiles that they see", async () => {
    const manager = await restrictedManager();
    const path = await newWallboard([open, callers]);
    const call = { version: 1, tiles: [{ ...open, title: "Mine" }] };
    expect(ids((await manager.call("PATCH", path, call)).body)).toEqual(["open"]);
    expect(ids((await owner.call("GET", path)).body)).toEqual(["open", "callers"]);
  });
});

describe("an alert", () => {
  it("can be acknowledged by users who may change its records, with a word of its thresholds", async () => {
    const thresholds = [{ at: 1, word: "Busy", colour: "red" }];
    const path = `${await newWallboard([{ ...open, thresholds }])}/acknowledgements`;
    expect((await owner.call("POST", path, { tile: "open", word: "Busy" })).status).toBe(204);
    expect((await owner.call("POST", path, { tile: "open", word: "Calm" })).status).toBe(404);
    expect((await owner.call("POST", path, { tile: "other", word: "Busy" })).status).toBe(404);
    const invented = { tile: "open", row: "invented", word: "Busy" };
    expect((await owner.call("POST", path, invented)).status).toBe(404);
    const viewer = await member("viewer");
    const refused = await viewer.call("POST", path, { tile: "open", word: "Busy" });
    expect(refused.body).toMatchObject({ code: "forbidden", right: "acknowledge" });
    const editor = await member("editor");
    expect((await editor.call("POST", path, { tile: "open", word: "Busy" })).status).toBe(204);
  });

  it("is not acknowledged by a user from whom records are hidden, which others may be alerted of", async () => {
    const thresholds = [{ at: 1, word: "Busy", colour: "red" }];
    const path = `${await newWallboard([{ ...open, thresholds }])}/acknowledgements`;
    const filter = { field: "title", op: "eq", value: "mine" };
    const { body: role } = await owner.call("POST", "/api/v1/roles", {
      name: "Some rows",
      grants: { incidents: { read: { filter }, update: true } },
    });
    const some = await member(String(role.id));
    const refused = await some.call("POST", path, { tile: "open", word: "Busy" });
    expect(refused.body).toMatchObject({ code: "forbidden", right: "acknowledge" });
    const { body: session } = await some.call("GET", "/api/v1/session");
    const { tables } = session.abilities as { tables: Record<string, { acknowledge: boolean }> };
    expect(tables.incidents?.acknowledge).toBe(false);
  });

  it("of a group can be acknowledged only for a group that exists", async () => {
    const thresholds = [{ at: 1, word: "Busy", colour: "red" }];
    const lights = { ...open, id: "by", kind: "lights", group: "group", thresholds };
    const path = `${await newWallboard([lights])}/acknowledgements`;
    const status = async (row?: unknown) =>
      (
        await owner.call("POST", path, {
          tile: "by",
          word: "Busy",
          ...(row !== undefined && { row }),
        })
      ).status;
    const records = "/api/v1/tables/incidents/records";
    const groups = "/api/v1/tables/groups/records";
    await owner.call("POST", groups, { values: { name: "Night shift" } });
    await owner.call("POST", records, { values: { title: "x", group: "Night shift" } });
    expect(await status("Night shift")).toBe(204);
    for (const row of ["invented", 7, true, undefined]) expect(await status(row)).toBe(404);
  });

  it("of a group can be acknowledged whose name is spelt like a variable of filters", async () => {
    const thresholds = [{ at: 1, word: "Busy", colour: "red" }];
    const lights = { ...open, id: "by", kind: "lights", group: "category", thresholds };
    const path = `${await newWallboard([lights])}/acknowledgements`;
    const records = "/api/v1/tables/incidents/records";
    for (const row of ["$me", "$now", "$me.group"]) {
      const call = { tile: "by", word: "Busy", row };
      expect([row, (await owner.call("POST", path, call)).status]).toEqual([row, 404]);
      await owner.call("POST", records, { values: { title: "x", category: row } });
      expect([row, (await owner.call("POST", path, call)).status]).toEqual([row, 204]);
    }
  });

  it("is stored for a bounded number of groups, the latest ones", async () => {
    const small = await startTestServer({ ACKNOWLEDGEMENTS_PER_TILE: "2" });
    await small.owner("service-desk");
    const client = await signedInClient(small.origin, ownerCredentials);
    const thresholds = [{ at: 1, word: "Busy", colour: "red" }];
    const lights = { ...open, id: "by", kind: "lights", group: "state", thresholds };
    const { body } = await client.call("POST", WALLBOARDS, { name: "B", tiles: [lights] });
    for (const row of ["New", "Active", "Resolved", "Closed"]) {
      const call = { tile: "by", row, word: "Busy" };
      const answer = await client.call("POST", `${WALLBOARDS}/${body.id}/acknowledgements`, call);
      expect(answer.status).toBe(204);
    }
    const reader = new Client({ connectionString: small.databaseUrl });
    await reader.connect();
    const { rows } = await reader.query(
      "select row_key from watchfloor.tile_acknowledgement order by at",
    );
    await reader.end();
    expect(rows.map(({ row_key }) => JSON.parse(row_key))).toEqual(["Resolved", "Closed"]);
    await small.close();
  });
});

describe("a removed wallboard", () => {
  it("is restored as it was, by users who may remove it", async () => {
    const path = await newWallboard([open]);
    expect((await owner.call("POST", `${path}/restore`)).status).toBe(404);
    expect((await owner.call("DELETE", path)).status).toBe(204);
    expect((await owner.call("GET", path)).status).toBe(404);
    expect((await owner.call("PATCH", path, { name: "Gone" })).status).toBe(404);
    const viewer = await member("viewer");
    expect((await viewer.call("POST", `${path}/restore`)).status).toBe(403);
    const { status, body } = await owner.call("POST", `${path}/restore`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ tiles: [open], published: { version: 1 } });
    expect((await viewer.call("GET", path)).status).toBe(200);
  });
});
