import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
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
  const body = { dataset: {} };
  const page: { activeElement: unknown; body: unknown } = { activeElement: body, body };
  vi.stubGlobal("document", page);
  const drawn = new Map<string, () => void>();
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
  /** Those of the rows above. */
  const above: typeof cells = new Map();
  const grid = {
    above,
    values: { title: "A" } as object,
    table: { name: "t", fields: [] },
    columns: ["title", "notes"],
    core: { edits: { currentId: (_table: string, record: string) => record } },
    editors: { isOpen: false, current: () => null },
    cells: {
      find: (record: string, field: string, isAbove?: boolean) =>
        grid.columns.includes(field) ? (isAbove ? above : cells).get(record) : undefined,
    },
    groups: { indexOfRow: (row: number) => row },
    rowList: {
      created: [] as { id: string }[],
      status: { rowCount, phase: "ready" },
      get: (id: string) => ({ id, mark: null, version: "e.1", values: grid.values }),
      indexOf: (record: string) => (cells.has(record) ? Number(record.slice(1)) : -1),
      setCurrent() {},
    },
    api: {
      addEventListener: (type: string, listener: () => void) => drawn.set(type, listener),
      ensureIndexVisible() {},
      ensureColumnVisible() {},
      setFocusedCell() {},
      getFocusedCell: () => null,
      getEditingCells: () => [],
      getPinnedTopRow: (index: number) => ({ data: grid.rowList.created[index] }),
      getDisplayedRowAtIndex: (index: number) =>
        index < rowCount ? { data: { id: `r${index}` } } : undefined,
    },
  };
  const hasFocus = (record: string) => page.activeElement === cells.get(record)?.element;
  /** The element with the focus is removed, and AG Grid reports what it has drawn. */
  const redraw = (type: string) => {
    page.activeElement = body;
    drawn.get(type)?.();
    vi.advanceTimersByTime(100);
  };
  const focus = (element: object) => {
    page.activeElement = element;
  };
  return { grid: grid as unknown as GridController, fake: grid, hasFocus, redraw, focus };
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

it("waits for the row above of a new record that is still drawn in the row where it began", () => {
  const { grid, fake, focus, hasFocus } = gridOf(4);
  const queue = new KeyQueue();
  queue.connect(grid);
  queue.moveTo({ record: "r3", row: 3, field: "title" });
  vi.advanceTimersByTime(100);
  expect(hasFocus("r3")).toBe(true);
  fake.rowList.created = [{ id: "r3" }];
  queue.moveTo({ record: "r3", row: 0, field: "title" });
  vi.advanceTimersByTime(100);
  expect(vi.getTimerCount()).toBe(1);
  let isReached = false;
  const element = {
    focus() {
      isReached = true;
      focus(element);
    },
  };
  fake.above.set("r3", { element });
  vi.advanceTimersByTime(100);
  expect([isReached, vi.getTimerCount()]).toEqual([true, 0]);
});

describe("the focus comes back to the cursor's cell", () => {
  function onCell() {
    const opened = gridOf(10);
    const queue = new KeyQueue();
    queue.connect(opened.grid);
    queue.moveTo({ record: "r3", row: 3, field: "title" });
    vi.advanceTimersByTime(100);
    expect(opened.hasFocus("r3")).toBe(true);
    return { ...opened, queue };
  }

  it.each(["modelUpdated", "displayedColumnsChanged", "virtualColumnsChanged"])(
    "when it was removed by what is drawn (%s)",
    (type) => {
      const { hasFocus, redraw } = onCell();
      redraw(type);
      expect(hasFocus("r3")).toBe(true);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  it("in another column where its own is hidden", () => {
    const { fake, queue, hasFocus, redraw } = onCell();
    fake.columns = ["notes"];
    queue.columnsChanged();
    redraw("displayedColumnsChanged");
    expect(hasFocus("r3")).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("in the grid that is drawn in place of this one, and nowhere until then", () => {
    const { queue, redraw } = onCell();
    const next = gridOf(10);
    queue.awaitGrid();
    redraw("modelUpdated");
    expect([next.hasFocus("r3"), vi.getTimerCount()]).toEqual([false, 1]);
    queue.connect(next.grid);
    vi.advanceTimersByTime(100);
    expect([next.hasFocus("r3"), vi.getTimerCount()]).toEqual([true, 0]);
  });

  it("and counts as there once the values of its record are, if rights or model have changed", () => {
    const { fake, hasFocus, redraw } = onCell();
    const { values } = fake;
    fake.values = {};
    redraw("modelUpdated");
    // A record may have no values.
    expect([hasFocus("r3"), vi.getTimerCount()]).toEqual([true, 0]);
    fake.rowList.status.phase = "resyncing";
    redraw("modelUpdated");
    expect([hasFocus("r3"), vi.getTimerCount()]).toEqual([true, 1]);
    fake.values = values;
    vi.advanceTimersByTime(100);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("not from where the user has gone", () => {
    const { hasFocus, focus, queue } = onCell();
    const button = {};
    focus(button);
    queue.columnsChanged();
    vi.advanceTimersByTime(100);
    expect([hasFocus("r3"), vi.getTimerCount()]).toEqual([false, 0]);
  });
});
