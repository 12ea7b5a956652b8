import { expect, test } from "vitest";
import { boundsOf, contains, extend, rangeOf, sizeOf } from "./cell-range.ts";
import { planPaste } from "./paste-plan.ts";

const grid = { rows: 10, columns: 4 };

test("a range grows in both directions around its anchor and stays inside the grid", () => {
  const start = rangeOf({ row: 2, column: 1 });
  const up = extend(start, { rows: -5, columns: 9 }, grid);
  expect(boundsOf(up)).toEqual({ top: 0, bottom: 2, left: 1, right: 3 });
  expect(sizeOf(up)).toBe(9);
  expect(boundsOf(extend(up, { rows: 4, columns: -3 }, grid))).toEqual({
    top: 2,
    bottom: 4,
    left: 0,
    right: 1,
  });
});

test("a cell belongs to a range by row and by column", () => {
  const bounds = boundsOf({ anchor: { row: 3, column: 2 }, head: { row: 1, column: 1 } });
  expect(contains(bounds, { row: 2, column: 2 })).toBe(true);
  expect(contains(bounds, { row: 2, column: 3 })).toBe(false);
  expect(contains(bounds, { row: 4, column: 1 })).toBe(false);
});

test("one copied value fills everything that is selected", () => {
  const target = { anchor: { row: 1, column: 1 }, head: { row: 2, column: 2 } };
  expect(planPaste([["x"]], target, grid).placements).toEqual([
    { row: 1, column: 1, text: "x" },
    { row: 1, column: 2, text: "x" },
    { row: 2, column: 1, text: "x" },
    { row: 2, column: 2, text: "x" },
  ]);
});

test("a block that does not divide the selection goes in once from its corner", () => {
  const target = { anchor: { row: 0, column: 0 }, head: { row: 2, column: 0 } };
  const { placements } = planPaste([["a", "b"], ["c"]], target, grid);
  expect(placements).toEqual([
    { row: 0, column: 0, text: "a" },
    { row: 0, column: 1, text: "b" },
    { row: 1, column: 0, text: "c" },
  ]);
});

test("cells that would fall outside the grid are counted, not written", () => {
  const plan = planPaste([["a", "b"]], rangeOf({ row: 9, column: 3 }), grid);
  expect(plan).toEqual({ placements: [{ row: 9, column: 3, text: "a" }], cut: 1 });
});
