import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { GridController } from "../grid-controller.ts";
import { KeyQueue } from "./key-queue.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A grid that has read its rows, whose cells take the focus. */
function gridOf(rowCount: number) {
  const page: { activeElement: unknown } = { activeElement: null };
  vi.stubGlobal("document", page);
  const cells = new Map(
    Array.from({ length: rowCount }, (_, row) => {
      const element = {
        focus() {
          page.activeElement = this;
        },
      };
      return [`r${row}`, { element }];
    }),
  );
  const grid = {
    table: { name: "t" },
    core: { edits: { currentId: (_table: string, record: string) => record } },
    editors: { isOpen: false, current: () => null },
    cells: { find: (record: string) => cells.get(record) },
    groups: { indexOfRow: (row: number) => row },
    rowList: {
      created: [],
      status: { rowCount },
      indexOf: (record: string) => (cells.has(record) ? Number(record.slice(1)) : -1),
      setCurrent() {},
    },
    api: {
      addEventListener() {},
      ensureIndexVisible() {},
      ensureColumnVisible() {},
      setFocusedCell() {},
      getFocusedCell: () => null,
      getEditingCells: () => [],
      getDisplayedRowAtIndex: (index: number) =>
        index < rowCount ? { data: { id: `r${index}` } } : undefined,
    },
  };
  const hasFocus = (record: string) => page.activeElement === cells.get(record)?.element;
  return { grid: grid as unknown as GridController, hasFocus };
}

it("goes to the last row where the one it waits for is beyond it, as after an estimate that was too high", () => {
  const { grid, hasFocus } = gridOf(11_000);
  const queue = new KeyQueue();
  queue.connect(grid);
  queue.moveTo({ record: null, row: 11_999, field: "title" });
  vi.advanceTimersByTime(100);
  expect(hasFocus("r10999")).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});
