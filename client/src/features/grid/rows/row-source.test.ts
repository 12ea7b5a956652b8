import type { IGetRowsParams } from "ag-grid-community";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { GridController } from "../grid-controller.ts";
import { GroupRows } from "../groups/group-rows.ts";
import { BLOCK_ROWS, rowSource, setDrawnRows } from "./row-source.ts";

const HOUR_MS = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A row list whose pages never come through. */
function failing() {
  let asked = 0;
  const rowList = {
    isClosed: false,
    status: { rowCount: 0 },
    getRows: () => {
      asked += 1;
      return Promise.reject(new Error("away"));
    },
  };
  const params = { startRow: 0, endRow: 100, successCallback() {} } as unknown as IGetRowsParams;
  const controller = { rowList, abilities: { create: false } } as unknown as GridController;
  const groups = new GroupRows(() => controller);
  const grid = { rowList: controller.rowList, groups };
  return { grid, params, state: rowList, asked: () => asked };
}

it("asks ever more seldom for a page that does not come through", async () => {
  const { grid, params, asked } = failing();
  rowSource(grid, () => {}).getRows(params);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  const first = asked();
  expect(first).toBeGreaterThan(10);
  expect(first).toBeLessThan(500);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(asked()).toBeGreaterThan(first);
});

it("asks no more once its view is closed, or another source has taken its place", async () => {
  const closed = failing();
  rowSource(closed.grid, () => {}).getRows(closed.params);
  await vi.advanceTimersByTimeAsync(1_500);
  closed.state.isClosed = true;
  const replaced = failing();
  const source = rowSource(replaced.grid, () => {});
  source.getRows(replaced.params);
  await vi.advanceTimersByTimeAsync(1_500);
  source.destroy?.();
  const before = [closed.asked(), replaced.asked()];
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect([closed.asked(), replaced.asked()]).toEqual(before);
});

it.each([
  ["a block that was loaded in part", 345, "loaded", 445, true],
  ["one that is being loaded", 345, "loading", 445, false],
  ["none where all are whole", 300, "loaded", 400, false],
  ["none where rows have left", 345, "loaded", 300, false],
])("asks again for the rest of %s", (_, before, pageStatus, count, isAsked) => {
  const asked: number[] = [];
  let rows = before;
  setDrawnRows(
    {
      getDisplayedRowCount: () => rows,
      getCacheBlockState: () => ({ [Math.floor(before / BLOCK_ROWS)]: { pageStatus } }),
      setRowCount: (next) => {
        rows = next;
      },
      refreshInfiniteCache: () => asked.push(rows),
    },
    count,
  );
  expect([rows, asked]).toEqual([count, isAsked ? [count] : []]);
});
