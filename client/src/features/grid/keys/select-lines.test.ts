import { expect, it } from "vitest";
import { selectedRecords } from "../actions/record-actions.ts";
import { fakeGrid } from "../testing/fake-grid.ts";
import { keepOneSelection } from "./select-lines.ts";

it("has one selection at a time: ticked rows, or several cells", async () => {
  const { at, grid, select, tick } = await fakeGrid(5);
  keepOneSelection(grid);
  const ticked = () => selectedRecords(grid).map(({ id }) => id);
  tick("i3", "i4");
  select(0, 0, "title");
  expect(ticked()).toEqual(["i3", "i4"]);
  select(0, 1, "title", "state");
  expect(ticked()).toEqual([]);
  at.focused = { row: 1, field: "state" };
  tick("i4");
  expect(ticked()).toEqual(["i4"]);
  expect(grid.range.range).toEqual({
    anchor: { row: 1, column: 1 },
    head: { row: 1, column: 1 },
  });
});
