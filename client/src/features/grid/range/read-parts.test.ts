import { expect, it } from "vitest";
import { ROWS_MAX } from "../../../sync/rows/arrange-rows.ts";
import { fakeGrid, shownToasts } from "../testing/fake-grid.ts";
import { readParts } from "./read-parts.ts";

it("reads a range that is longer than the row list, and keeps its rows in order", async () => {
  const rows = ROWS_MAX + 500;
  const { grid, pressOnPage, run, select } = await fakeGrid(rows);
  // As after going to the end and back.
  await run(grid.rowList.getRows(rows - 100, rows));
  await run(grid.rowList.getRows(0, 100));
  select(0, rows - 1, "title");
  const { parts } = grid.range;
  expect(await run(readParts(grid, parts))).toBe(true);
  expect(pressOnPage("Escape")).toBe(false);
  // Otherwise this proves nothing.
  expect(parts[0]?.records.some((id) => grid.rowList.indexOf(id) < 0)).toBe(true);
  expect(parts[0]?.records).toEqual(Array.from({ length: rows }, (_, index) => `i${index}`));
});

it("reads no further once the user has pressed Escape, which closes nothing else, and does nothing to the rows", async () => {
  const { grid, pressOnPage, run, select } = await fakeGrid(5_000);
  select(0, 4_999, "title");
  const { parts } = grid.range;
  const reading = readParts(grid, parts);
  expect(pressOnPage("a")).toBe(false);
  expect(pressOnPage("Escape")).toBe(true);
  // The second one is for whatever lies under it.
  expect(pressOnPage("Escape")).toBe(false);
  expect(await run(reading)).toBe(false);
  expect(grid.range.size.unread).toBeGreaterThan(4_000);
  expect(shownToasts()).toEqual(["Cancelled. Nothing was changed."]);
  expect(pressOnPage("Escape")).toBe(false);
});
