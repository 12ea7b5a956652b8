import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Values } from "../../../../../shared/model/model.ts";
import type { WireOp } from "../../../../../shared/protocol/mutate.ts";
import { noteSaved } from "../../../records/fields/field-edit.ts";
import { setPageCore } from "../../../sync/page/page-core.ts";
import { fakeGrid, offeredUndos, shownToasts } from "../testing/fake-grid.ts";
import { fillToNeighbour } from "./fill-to-neighbour.ts";
import { pasteRange } from "./paste-range.ts";
import { fillRows } from "./range-actions.ts";

type FakeGrid = Awaited<ReturnType<typeof fakeGrid>>;

/** A grid with a new record above its rows, or in a row, and the ops of the change sets that it makes. */
async function withNew(
  rows: number,
  { values = {}, row = null }: { values?: Values; row?: number | null } = {},
) {
  const sets: WireOp[][] = [];
  vi.stubGlobal("fetch", async (_path: string, { body }: RequestInit) => {
    sets.push((JSON.parse(String(body)) as { ops: WireOp[] }).ops);
    return Response.json({ id: "set" });
  });
  const fake = await fakeGrid(rows);
  const { grid, clock } = fake;
  setPageCore(grid.core);
  onTestFinished(() => setPageCore(null));
  const draft = grid.core.edits.draft("incidents", values);
  grid.rowList.placeCreated(draft, row);
  await clock.advance(100);
  return { ...fake, draft, sets };
}

const titles = ({ stored }: FakeGrid, count: number) =>
  Array.from({ length: count }, (_, index) => stored(`i${index}`, "title"));

const untouched = (count: number) => Array.from({ length: count }, (_, at) => `Title ${at}`);

const paste = ({ grid, run }: FakeGrid, text: string) =>
  run(pasteRange(grid, { getData: (type) => (type === "text/plain" ? text : "") }));

/** What has been added besides the rows and the new record, in the order of entry. */
const added = ({ server, draft, sets }: FakeGrid & { draft: string; sets: WireOp[][] }) => {
  expect(sets).toEqual([]);
  const all = [...server.incidents.records].filter(([id]) => id !== draft && !/^i\d+$/.test(id));
  return all.map(([, { values }]) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)),
  );
};

describe("a paste of several rows that begins in a new record", () => {
  it("fills it with the first, makes new records of the others, and leaves the rows below alone", async () => {
    const fake = await withNew(3);
    fake.select(0, 0, "title");
    await paste(fake, "One\tOpen\nTwo\tNew\nThree\tNew");
    expect(titles(fake, 3)).toEqual(untouched(3));
    expect(fake.server.incidents.records.get(fake.draft)?.values).toMatchObject({
      ...{ title: "One", state: "Open" },
    });
    expect(added(fake)).toEqual([
      { title: "Two", state: "New" },
      { title: "Three", state: "New" },
    ]);
    expect(fake.grid.range.size).toMatchObject({ rows: 1, cells: 2 });
  });

  it("writes the first also where there are no rows, and the server has nothing to change yet", async () => {
    const fake = await withNew(0);
    fake.select(0, 0, "title");
    await paste(fake, "One\nTwo");
    expect(fake.stored(fake.draft, "title")).toBe("One");
    expect(added(fake)).toEqual([{ title: "Two" }]);
  });

  it("does the same while it is being created, and once it is created", async () => {
    for (const wait of [0, 200]) {
      const fake = await withNew(3);
      const { grid, clock, draft } = fake;
      grid.core.edits.edit("incidents", { record: draft, set: { rank: 7 }, base: { rank: null } });
      await clock.advance(wait);
      // Otherwise this proves nothing.
      expect(grid.rowList.created.map(({ version }) => version === null)).toEqual([wait === 0]);
      fake.select(0, 0, "title");
      await paste(fake, "One\nTwo");
      expect(titles(fake, 3)).toEqual(untouched(3));
      expect(fake.stored(draft, "title")).toBe("One");
      expect(added(fake)).toEqual([{ title: "Two" }]);
    }
  });

  it("does the same in a record that began in a row, such as at the end of a group", async () => {
    for (const isCreated of [false, true]) {
      const fake = await withNew(3, { values: { state: "Active" }, row: 1 });
      const { grid, clock, draft } = fake;
      grid.groups.set({
        ...{ counted: null, further: null, columns: [], seq: null, isExact: true, problem: null },
        groups: {
          grouping: { field: "state" },
          field: { name: "state", label: "State", type: "text" },
          ...{ zone: "UTC", isDescending: false, hidden: [], hide() {} },
        },
      });
      if (isCreated) {
        const edit = { record: draft, set: { rank: 7 }, base: { rank: null } };
        await fake.run(grid.core.edits.edit("incidents", edit).outcome);
      }
      await clock.advance(200);
      expect(grid.rowList.indexOf(draft)).toBe(1);
      fake.select(1, 1, "title");
      await paste(fake, "One\nTwo");
      expect(titles(fake, 3)).toEqual(untouched(3));
      expect(fake.stored(draft, "title")).toBe("One");
      expect(added(fake)).toEqual([{ state: "Active", title: "Two" }]);
    }
  });

  it("changes the rows below that are selected, in the same step as the new records", async () => {
    const fake = await withNew(3);
    fake.select(0, 1, "title");
    await paste(fake, "One\nTwo\nThree");
    expect(titles(fake, 3)).toEqual(["Two", "Title 1", "Title 2"]);
    expect(fake.stored(fake.draft, "title")).toBe("One");
    expect(added(fake)).toEqual([{ title: "Three" }]);
    await fake.run(Promise.resolve(fake.grid.core.undo.undo({ table: "incidents" })));
    expect(titles(fake, 3)).toEqual(untouched(3));
    expect(added(fake)).toEqual([]);
  });

  it("leaves what is typed over it while it is looked up whom the text names", async () => {
    const fake = await withNew(3);
    const { grid, draft, clock } = fake;
    const found = Promise.withResolvers<Map<string, string[]>>();
    const title = { name: "title", label: "Title", type: "person" };
    Object.assign(grid, { fields: new Map([...grid.fields, ["title", title]]) });
    Object.assign(grid.labels, { resolve: () => found.promise });
    fake.select(0, 0, "title");
    const pasted = paste(fake, "Olga Berg\t7");
    await clock.advance(20);
    noteSaved(grid, [{ record: draft, field: "title", base: null, value: "mara" }]);
    const edit = { record: draft, set: { title: "mara" }, base: { title: null } };
    await fake.run(grid.core.edits.edit("incidents", edit).outcome);
    found.resolve(new Map([["Olga Berg", ["olga"]]]));
    await pasted;
    expect(fake.stored(draft, "title")).toBe("mara");
    expect(fake.stored(draft, "state")).toBe("7");
    expect(grid.rowList.get(draft)?.cells).toEqual({});
  });

  it("keeps its record apart from the next one while it is looked up whom the text names", async () => {
    const fake = await withNew(3);
    const { grid, draft } = fake;
    const found = Promise.withResolvers<Map<string, string[]>>();
    const title = { name: "title", label: "Title", type: "person" };
    Object.assign(grid, { fields: new Map([...grid.fields, ["title", title]]) });
    Object.assign(grid.labels, { resolve: () => found.promise });
    fake.select(0, 0, "title");
    const pasted = paste(fake, "Olga Berg");
    await fake.clock.advance(20);
    const next = grid.core.edits.draft("incidents", {});
    expect(next).not.toBe(draft);
    found.resolve(new Map([["Olga Berg", ["olga"]]]));
    await pasted;
    expect(fake.stored(draft, "title")).toBe("olga");
    expect(grid.core.texts.hasTextOf(draft)).toBe(false);
  });

  it("asks before it adds more than fifty records", async () => {
    const fake = await withNew(0);
    fake.select(0, 0, "title");
    await paste(fake, Array.from({ length: 52 }, (_, at) => `Title ${at}`).join("\n"));
    expect(fake.stored(fake.draft, "title")).toBe("Title 0");
    expect(fake.sets.flat()).toHaveLength(51);
  });
});

describe("a paste into a new record that still lacks a required value", () => {
  it("leaves it a draft, says so, and offers no undo that would do nothing", async () => {
    for (const [text, expected, records] of [
      ["One\tOpen", ["One"], "1 incident"],
      ["One\nTwo", ["One", "Two"], "2 incidents"],
    ] as const) {
      const fake = await withNew(3);
      fake.require("rank");
      fake.select(0, 0, "title");
      await paste(fake, text);
      const { created } = fake.grid.rowList;
      expect(created.map(({ pending }) => pending)).toEqual(expected.map(() => "draft"));
      expect(created.map(({ values }) => values.title).sort()).toEqual(expected);
      expect(shownToasts().join(" ")).toContain(
        `${records} not created yet: a required field is empty.`,
      );
      expect(offeredUndos()).toEqual([]);
    }
  });
});

describe("a fill from a new record", () => {
  it("goes into the rows that are selected, and is undone in one step", async () => {
    const fake = await withNew(3);
    const { grid, draft } = fake;
    const edit = { record: draft, set: { title: "New" }, base: { title: null } };
    await fake.run(grid.core.edits.edit("incidents", edit).outcome);
    fake.select(0, 2, "title");
    await fake.run(fillRows(grid));
    expect(titles(fake, 3)).toEqual(["New", "New", "Title 2"]);
    await fake.run(Promise.resolve(grid.core.undo.undo({ table: "incidents" })));
    expect(titles(fake, 3)).toEqual(untouched(3));
  });

  it("does not go on by itself into the rows below, which are filled beside it", async () => {
    const fake = await withNew(3, { values: { title: "New", state: "New" } });
    fake.grid.api.isDestroyed = () => false;
    fake.select(0, 0, "title");
    await fake.run(fillToNeighbour(fake.grid));
    expect(titles(fake, 3)).toEqual(untouched(3));
  });
});
