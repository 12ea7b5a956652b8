import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { zoneAtNoon } from "../../../e2e/harness/zone-at-noon.ts";
import { databases } from "../../../e2e/provision/databases.ts";
import { type Tile, tileSchema } from "../../../shared/model/wallboard/tile.ts";
import { TileEnvironment } from "../testing/tile-environment.ts";

const fields = ["title", "level", "amount", "opened", "done"];
const everything = { filter: null, fields };
const base = { table: "things", layout: { x: 0, y: 0, w: 1, h: 1 } };
const HOUR_MS = 3_600_000;
const MANY_GROUPS = 5_100;

describe.each(databases.slice(0, 1))("what tiles compare and combine on $name", (kind) => {
  let world: TileEnvironment;
  beforeAll(async () => {
    world = await TileEnvironment.open(kind);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  async function show(tiles: object[]) {
    const plan = world.plan(
      tiles.map((tile): Tile => tileSchema.parse({ ...base, ...tile })),
      everything,
    );
    world.watch(plan);
    return { plan, frames: await world.shown(plan) };
  }

  it("a number of today is compared with yesterday up to this time, and its trend has all days", async () => {
    const at = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
    // today, yesterday before this time, yesterday after it, the day before
    const times = [at(1), at(2), at(3), at(25), at(26), at(22), at(23), at(49)];
    await world.commit([
      { text: "delete from things", values: [] },
      ...times.map((opened, index) => ({
        text: "insert into things (id, opened) values ($1, $2)",
        values: [`c${index}`, opened],
      })),
    ]);
    const today = { field: "opened", op: "gte", value: "$today" };
    const trend = { field: "opened", bucket: "day", count: 3 };
    const zone = zoneAtNoon();
    const { plan, frames } = await show([
      { id: "today", kind: "number", zone, filter: today, trend },
      { id: "all", kind: "number", zone, trend },
      { id: "month", kind: "number", zone, trend: { ...trend, bucket: "month" } },
    ]);
    expect(frames.today).toMatchObject({ value: 3, before: 2 });
    expect(frames.today?.series?.[0]?.points.map(({ value }) => value)).toEqual([1, 4, 3]);
    expect(frames.all).toMatchObject({ value: 8, before: 2 });
    expect(frames.month?.before).toBeUndefined();
    const compared = plan.board.tiles.map((tile) => [tile.id, tile.compared]);
    expect(Object.fromEntries(compared)).toMatchObject({ today: "value", all: "trend" });
    await world.commit([
      { text: "insert into things (id, opened) values ('late', $1)", values: [at(27)] },
    ]);
    expect((await world.shown(plan)).today).toMatchObject({ value: 3, before: 3 });
    expect(await world.read(plan)).toEqual(await world.shown(plan));
    world.forget(plan);
  });

  it("T2 P11 are what the database returns after one transaction of more changes than are replayed", async () => {
    await world.commit([{ text: "delete from things", values: [] }]);
    const { plan } = await show([
      { id: "count", kind: "number" },
      { id: "levels", kind: "breakdown", group: "level" },
    ]);
    const many = "select i, 'low', 1 from generate_series(1, $1::int) i";
    await world.commit([
      { text: `insert into things (id, level, amount) ${many}`, values: [MANY_GROUPS] },
    ]);
    await world.commit([{ text: "update things set level = 'high' where id = '7'", values: [] }]);
    const after = await world.shown(plan);
    expect(after.count).toMatchObject({ state: "ok", value: MANY_GROUPS });
    expect(after).toEqual(await world.read(plan));
    world.forget(plan);
  });

  it("too many groups become the largest ones and all others combined, also after changes", async () => {
    await world.commit([
      { text: "delete from things", values: [] },
      {
        text: "insert into things (id, title, amount) select i, 'thing ' || i, 1 from generate_series(1, $1::int) i",
        values: [MANY_GROUPS],
      },
      {
        text: "insert into things (id, title, amount) values ('x', 'thing 7', 5), ('y', 'thing 9', 1)",
        values: [],
      },
    ]);
    const groups = { kind: "breakdown", group: "title", limit: 3 };
    const { plan, frames } = await show([
      { id: "count", ...groups },
      { id: "sum", ...groups, measure: { op: "sum", field: "amount" } },
      { id: "byName", ...groups, order: ["key"] },
    ]);
    const rows = (id: string, of = frames) =>
      of[id]?.rows?.map(({ label, value }) => `${label}: ${value}`);
    expect(rows("count")?.slice(0, 2)).toEqual(["thing 7: 2", "thing 9: 2"]);
    expect(frames.count?.rest).toEqual({ groups: MANY_GROUPS - 3, value: MANY_GROUPS + 2 - 5 });
    expect(rows("sum")?.slice(0, 2)).toEqual(["thing 7: 6", "thing 9: 2"]);
    expect(frames.sum?.rest).toEqual({ groups: MANY_GROUPS - 3, value: MANY_GROUPS + 6 - 9 });
    expect(frames.byName).toMatchObject({ state: "failed", reason: "too_many_groups" });
    await world.commit([
      { text: "update things set title = 'thing 5000' where id in ('1', '2', '3')", values: [] },
    ]);
    await expect
      .poll(async () => rows("count", await world.shown(plan))?.[0])
      .toBe("thing 5000: 4");
    world.forget(plan);
  });

  it("the group of the records without a value has a label", async () => {
    await world.commit([
      { text: "delete from things", values: [] },
      { text: "insert into things (id, level) values ('a', 'low'), ('b', null)", values: [] },
    ]);
    const { plan, frames } = await show([
      { id: "level", kind: "breakdown", group: "level", order: ["key"] },
      { id: "done", kind: "lights", group: "done" },
    ]);
    expect(frames.level?.rows?.map(({ label }) => label)).toEqual(["low", "No level"]);
    expect(frames.done?.rows?.map(({ label }) => label)).toEqual(["done: not set"]);
    world.forget(plan);
  });
});
