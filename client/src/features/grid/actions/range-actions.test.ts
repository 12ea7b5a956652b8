import { expect, it } from "vitest";
import type { Field } from "../../../../../shared/model/model.ts";
import { FieldEdit, isLookedUp, untilLookedUp } from "../../../records/fields/field-edit.ts";
import { cellAt } from "../edit/editor-host.ts";
import { fakeGrid, shownToasts } from "../testing/fake-grid.ts";
import { clearRange, fillColumns, fillRows, fillWith, recordsInRange } from "./range-actions.ts";

type FakeGrid = Awaited<ReturnType<typeof fakeGrid>>;

const titles = ({ stored }: FakeGrid, count: number) =>
  Array.from({ length: count }, (_, index) => stored(`i${index}`, "title"));

it("bases the cell whose editor fills the range on what its user saw when they began", async () => {
  const fake = await fakeGrid(4);
  const { grid, clock } = fake;
  const field = grid.fields.get("title") as Field;
  fake.select(0, 2, "title");
  fake.change("i0", { title: "Ana's title" });
  fake.change("i1", { title: "Another one of hers" });
  await clock.advance(100);
  await fake.run(fillWith(grid, { record: "i0", field, base: "Title 0" }, "Mine"));
  // The user saw the other cell as it is now.
  expect(titles(fake, 4)).toEqual(["Ana's title", "Mine", "Mine", "Title 3"]);
  expect(grid.rowList.get("i0")?.cells.title).toMatchObject({
    ...{ kind: "conflict", base: "Title 0", mine: "Mine", theirs: "Ana's title" },
  });
});

it("replaces what was typed into its cells and is still looked up", async () => {
  const fake = await fakeGrid(2);
  const { grid } = fake;
  const { promise, resolve } = Promise.withResolvers<{ id: string; label: string }[]>();
  const labels = { ...grid.labels, named: () => promise } as unknown as typeof grid.labels;
  const field = grid.fields.get("title") as Field;
  const typed = new FieldEdit({ at: { ...cellAt(grid, "i0", field), labels }, base: "Title 0" });
  typed.type({ ok: false, message: "", unsearched: true }, "Ana");
  typed.end();
  fake.select(0, 0, "title");
  await fake.run(clearRange(grid));
  expect(isLookedUp({ table: "incidents", record: "i0", field: "title" })).toBe(false);
  const saving = untilLookedUp("incidents");
  resolve([{ id: "ana", label: "Ana" }]);
  await saving;
  expect(titles(fake, 2)).toEqual([null, "Title 1"]);
});

it("fills a single row from the one above it", async () => {
  const fake = await fakeGrid(3);
  fake.select(2, 2, "title");
  await fake.run(fillRows(fake.grid));
  expect(titles(fake, 3)).toEqual(["Title 0", "Title 1", "Title 1"]);
});

it("fills each of several ranges, down and to the right", async () => {
  const fake = await fakeGrid(6);
  const { grid } = fake;
  fake.select(0, 1, "title");
  grid.range.select({ anchor: { row: 3, column: 0 }, head: { row: 4, column: 0 } }, { add: true });
  await fake.run(fillRows(grid));
  expect(titles(fake, 6)).toEqual([0, 0, 2, 3, 3, 5].map((index) => `Title ${index}`));
  fake.select(0, 0, "title", "state");
  grid.range.select({ anchor: { row: 2, column: 0 }, head: { row: 2, column: 1 } }, { add: true });
  await fake.run(fillColumns(grid));
  expect([0, 1, 2].map((index) => fake.stored(`i${index}`, "state"))).toEqual([
    ...["Title 0", "Active", "Title 2"],
  ]);
});

it("fills nothing from a row that was deleted, and says so", async () => {
  const fake = await fakeGrid(5);
  fake.remove("i1");
  await fake.clock.advance(100);
  fake.select(2, 2, "title");
  await fake.run(fillRows(fake.grid));
  // The deleted row is the second one of two that are repeated.
  fake.select(0, 4, "title");
  await fake.run(fillRows(fake.grid, { count: 2, isBack: false }));
  expect(titles(fake, 5)).toEqual(["Title 0", undefined, "Title 0", "Title 3", "Title 0"]);
  expect(shownToasts()).toEqual([
    "1 cell was skipped. One of the rows was deleted or has left the view.",
  ]);
});

it("fills each row from its own source, also where one has left the range", async () => {
  const fake = await fakeGrid(6);
  fake.select(0, 5, "title");
  for (const id of ["i1", "i2"]) fake.remove(id);
  await fake.clock.advance(100);
  await fake.run(fillRows(fake.grid, { count: 2, isBack: false }));
  const [gone, first] = [undefined, "Title 0"];
  expect(titles(fake, 6)).toEqual([first, gone, gone, "Title 3", first, "Title 5"]);
});

it("fills nothing where the first of two selected rows has just been deleted", async () => {
  const fake = await fakeGrid(4);
  fake.select(1, 2, "title");
  fake.remove("i1");
  await fake.clock.advance(100);
  await fake.run(fillRows(fake.grid));
  expect(titles(fake, 4)).toEqual(["Title 0", undefined, "Title 2", "Title 3"]);
  expect(shownToasts()).toEqual([
    "1 cell was skipped. One of the rows was deleted or has left the view.",
  ]);
});

it("skips a cell with a conflict, whose other value would be gone unseen", async () => {
  const fake = await fakeGrid(3);
  const { grid, clock } = fake;
  fake.change("i1", { title: "Theirs" });
  const mine = { record: "i1", set: { title: "Mine" }, base: { title: "Title 1" } };
  await fake.run(grid.core.edits.edit("incidents", mine).outcome);
  const conflict = { kind: "conflict", mine: "Mine", theirs: "Theirs" };
  expect(grid.rowList.get("i1")?.cells.title).toMatchObject(conflict);
  fake.select(0, 2, "title");
  await fake.run(clearRange(grid));
  await clock.advance(100);
  expect(titles(fake, 3)).toEqual([null, "Theirs", null]);
  expect(grid.rowList.get("i1")?.cells.title).toMatchObject(conflict);
});

it("runs once for a record of which several ranges have cells", async () => {
  const fake = await fakeGrid(2);
  const { grid } = fake;
  fake.select(0, 0, "title");
  grid.range.select({ anchor: { row: 0, column: 2 }, head: { row: 1, column: 2 } }, { add: true });
  const ids: string[] = [];
  await fake.run(
    recordsInRange(grid, async (records) => void ids.push(...records.map(({ id }) => id))),
  );
  expect(ids).toEqual(["i0", "i1"]);
});
