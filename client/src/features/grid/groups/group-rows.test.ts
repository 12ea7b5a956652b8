import { expect, it } from "vitest";
import type { GridController } from "../grid-controller.ts";
import { type GroupedView, GroupRows } from "./group-rows.ts";

const sizes = ["L", "L", "S"];

/** Rows with these sizes, in a grid whose cells may be edited. */
function groupedRows(rows: string[]) {
  const editors = { isOpen: false };
  const grid = {
    editors,
    rowList: {
      shownView: { sort: ["size"] },
      status: { rowCount: rows.length },
      at: (row: number) => rows[row] && { id: `p${row}`, values: { size: rows[row] } },
      indexOf: (record: string) => Number(record.slice(1)),
    },
    api: { getFirstDisplayedRowIndex: () => 0, getLastDisplayedRowIndex: () => rows.length },
    session: { position: { seq: 1 } },
    abilities: { create: false },
  };
  const groups = new GroupRows(() => grid as unknown as GridController);
  const show = () => {
    const field = { name: "size", label: "Size", type: "select" };
    const view = { groups: { grouping: { field: "size" }, field, zone: "UTC", hidden: [] } };
    const counts = { counted: [], further: null, columns: [], seq: 1, isExact: true };
    groups.set({ ...view, ...counts, problem: null } as unknown as GroupedView);
  };
  return { groups, editors, rows, show };
}

it("headings stay while a cell is edited, even if rows are added above, and move when the editor closes", () => {
  const { groups, editors, rows, show } = groupedRows([...sizes]);
  show();
  expect(groups.keys).toEqual(["L", "S"]);
  editors.isOpen = true;
  rows.splice(0, 0, "A");
  groups.realign();
  groups.addRows(0, 4);
  groups.update(["p0"]);
  show();
  expect(groups.keys).toEqual(["L", "S"]);
  editors.isOpen = false;
  show();
  groups.addRows(0, 4);
  expect(groups.keys).toEqual(["A", "L", "S"]);
});
