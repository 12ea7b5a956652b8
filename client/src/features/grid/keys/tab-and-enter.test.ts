import { describe, expect, it, onTestFinished } from "vitest";
import { setPageCore } from "../../../sync/page/page-core.ts";
import { insertRecord } from "../actions/record-actions.ts";
import { EditorHost } from "../edit/editor-host.ts";
import { typeIntoLocked } from "../edit/locked-cell.ts";
import { fakeGrid } from "../testing/fake-grid.ts";
import type { Cursor } from "./key-queue.ts";
import { endByEnter, endByTab } from "./tab-and-enter.ts";

type FakeGrid = Awaited<ReturnType<typeof fakeGrid>>;

/** A grid whose cursor follows what keys lead to. `go` is where it is then: the row as counted by the user, and the field. */
async function gridWithCursor(count: number, { create = true } = {}) {
  const fake = await fakeGrid(count);
  const { at, grid } = fake;
  grid.abilities = { ...grid.abilities, create };
  setPageCore(grid.core);
  onTestFinished(() => setPageCore(null));
  let pinned: "top" | null = null;
  const cursor = { row: 0, field: "title", extra: undefined as Cursor["extra"] };
  const goTo = ({ row, field, extra }: Pick<Cursor, "row" | "field" | "extra">) => {
    Object.assign(cursor, { row, field, extra });
    const above = grid.rowList.created.length;
    pinned = row < above ? "top" : null;
    at.focused = { row: pinned ? row : row - above, field };
    const column = grid.columns.indexOf(field);
    if (!extra) grid.range.followFocus({ row, column });
  };
  grid.editors = new EditorHost();
  Object.assign(grid.keys, { moveTo: goTo });
  Object.assign(grid.api, {
    stopEditing() {},
    setFocusedCell() {},
    getPinnedTopRow: (row: number) => ({ data: grid.rowList.created[row] }),
    getFocusedCell: () => ({
      rowIndex: at.focused.row,
      rowPinned: pinned,
      column: { getColId: () => at.focused.field },
    }),
  });
  return { ...fake, cursor, goTo };
}

/** Ends the editor of a cell by a key. Answers whether the key led to another cell. */
function end({ grid }: FakeGrid, key: "Tab" | "Enter", shiftKey = false): boolean {
  const event = { key, shiftKey, preventDefault() {} } as KeyboardEvent;
  return endByTab(grid, event) || endByEnter(grid, event);
}

const places = ({ row, field }: { row: number; field: string }) => `${row} ${field}`;

describe("Tab in the last cell of a row", () => {
  it("goes to the first cell of the next row, and Shift and Tab back", async () => {
    const fake = await gridWithCursor(3);
    fake.goTo({ row: 0, field: "secret" });
    expect(end(fake, "Tab")).toBe(true);
    expect(places(fake.cursor)).toBe("1 title");
    expect(end(fake, "Tab", true)).toBe(true);
    expect(places(fake.cursor)).toBe("0 secret");
  });

  it("goes from the last row to the row that begins a record", async () => {
    const fake = await gridWithCursor(3);
    fake.goTo({ row: 2, field: "secret" });
    expect(end(fake, "Tab")).toBe(true);
    expect(fake.cursor.extra).toEqual({ kind: "new", key: null });
  });

  it("is left to the grid where there is no other row, which leads out of the rows", async () => {
    const fake = await gridWithCursor(3, { create: false });
    fake.goTo({ row: 2, field: "secret" });
    expect(end(fake, "Tab")).toBe(false);
    fake.goTo({ row: 0, field: "title" });
    expect(end(fake, "Tab", true)).toBe(false);
  });
});

describe("a new record above the rows", () => {
  /** Begins one by the button, and fills its title. */
  async function begun() {
    const fake = await gridWithCursor(2);
    insertRecord(fake.grid);
    const [record] = fake.grid.rowList.created;
    const { id = "" } = record ?? {};
    fake.grid.core.edits.edit("incidents", { record: id, set: { title: "One" }, base: {} });
    return { ...fake, id };
  }
  const newest = ({ grid }: FakeGrid) => grid.rowList.created[0]?.id;

  it("is followed by a further one after Tab in its last cell", async () => {
    const fake = await begun();
    fake.goTo({ row: 0, field: "secret" });
    expect(end(fake, "Tab")).toBe(true);
    expect(newest(fake)).not.toBe(fake.id);
    expect(places(fake.cursor)).toBe("0 title");
  });

  it("is followed by a further one after Enter in its last cell, and after a run of Tabs", async () => {
    for (const field of ["secret", "rank"]) {
      const fake = await begun();
      fake.goTo({ row: 0, field: field === "rank" ? "state" : field });
      if (field === "rank") end(fake, "Tab");
      end(fake, "Enter");
      expect(newest(fake)).not.toBe(fake.id);
      expect(places(fake.cursor)).toBe("0 title");
    }
  });

  it("goes on in its next field after Enter without Tabs", async () => {
    const fake = await begun();
    fake.goTo({ row: 0, field: "title" });
    end(fake, "Enter");
    expect(newest(fake)).toBe(fake.id);
    expect(places(fake.cursor)).toBe("0 state");
  });
});

it("makes an unsaved text of what is typed after Enter in the last row, where none can be begun", async () => {
  const fake = await gridWithCursor(2, { create: false });
  fake.goTo({ row: 1, field: "rank" });
  expect(end(fake, "Enter")).toBe(true);
  const opened: unknown[] = [];
  Object.assign(fake.grid.api, { startEditingCell: (cell: unknown) => opened.push(cell) });
  expect(typeIntoLocked(fake.grid, "7")).toBe(true);
  expect(fake.grid.editors.locked).toMatchObject({ record: "i1", field: "rank" });
  expect(opened).toMatchObject([{ rowIndex: 1, key: "7" }]);
});

it("shows the row that begins a record in an empty table as soon as there is a new record", async () => {
  const { grid } = await gridWithCursor(0);
  expect(grid.groups.count).toBe(0);
  grid.core.edits.draft("incidents", {});
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(grid.groups.at(0)).toMatchObject({ kind: "new" });
});
