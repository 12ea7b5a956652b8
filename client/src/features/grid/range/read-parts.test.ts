import { expect, it } from "vitest";
import { ROWS_MAX } from "../../../sync/rows/arrange-rows.ts";
import { fakeGrid } from "../testing/fake-grid.ts";
import { readParts } from "./read-parts.ts";

it("reads a range that is longer than the row list, and keeps its rows in order", async () => {
  const rows = ROWS_MAX + 500;
  const { grid, run, select } = await fakeGrid(rows);
  // As after going to the end and back.
  await run(grid.rowList.getRows(rows - 100, rows));
  await run(grid.rowList.getRows(0, 100));
  select(0, rows - 1, "title");
  const { parts } = grid.range;
  expect(await run(readParts(grid, parts))).toBe(true);
  // Otherwise this proves nothing.
  expect(parts[0]?.records.some((id) => grid.rowList.indexOf(id) < 0)).toBe(true);
  expect(parts[0]?.records).toEqual(Array.from({ length: rows }, (_, index) => `i${index}`));
});
