import { expect, it } from "vitest";
import { ROWS_MAX } from "../../../sync/rows/arrange-rows.ts";
import { fakeGrid } from "../testing/fake-grid.ts";
import { deleteRecords, duplicateRecords, selectedRecords } from "./record-actions.ts";

it("duplicates ticked records as they are now, whether their rows are still held or not", async () => {
  const rows = ROWS_MAX + 1_000;
  const { at, change, clock, grid, run, server } = await fakeGrid(rows);
  await run(grid.rowList.getRows(rows - 100, rows));
  const far = `i${rows - 1}`;
  const ids = ["i0", far];
  at.ticked = ids.map((id) => grid.rowList.get(id));
  grid.rowList.setVisible(0, 100);
  for (let row = 0; row < rows - 500; row += 500) await run(grid.rowList.getRows(row, row + 500));
  // Otherwise this proves nothing.
  expect(grid.rowList.get(far)).toBeUndefined();
  for (const id of ids) change(id, { title: `Now ${id}` });
  await clock.advance(100);
  await run(duplicateRecords(grid, selectedRecords(grid)));
  const copies = [...server.incidents.records].slice(rows).map(([, { values }]) => values.title);
  expect(copies.sort()).toEqual(["Now i0", `Now ${far}`]);
});

it("does not duplicate records that were deleted", async () => {
  const { at, clock, grid, remove, run, server } = await fakeGrid(3);
  at.ticked = [grid.rowList.get("i0"), grid.rowList.get("i1")];
  remove("i0");
  await clock.advance(100);
  await run(duplicateRecords(grid, selectedRecords(grid)));
  expect([...server.incidents.records].slice(2).map(([, { values }]) => values.title)).toEqual([
    "Title 1",
  ]);
});

it("lets go of the rows of records that its user deletes, as of those that are gone already", async () => {
  const { clock, grid, remove, run } = await fakeGrid(4);
  remove("i0");
  await clock.advance(100);
  const rows = () => ["i0", "i1", "i2", "i3"].map((id) => grid.rowList.indexOf(id));
  expect(rows()).toEqual([0, 1, 2, 3]);
  await run(deleteRecords(grid, ["i2"]));
  expect(rows()).toEqual([-1, 0, -1, 1]);
});
