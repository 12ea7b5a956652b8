import type { GridController } from "../grid-controller.ts";
import type { RangeLayout } from "./range-part.ts";
import { loadedRows, recordInRow, rowOfRecord } from "./row-map.ts";

/** The rows and columns of a grid, as its range sees them. */
export function rangeLayout(grid: () => Omit<GridController, "range" | "api">): RangeLayout {
  return {
    get columns() {
      return grid().columns;
    },
    get above() {
      return grid().rowList.created.length;
    },
    at: (row) => recordInRow(grid(), row),
    loadedRows: (top, bottom) => loadedRows(grid(), top, bottom),
    rowOf: (record) => rowOfRecord(grid(), record),
    currentId: (record) => grid().core.edits.currentId(grid().table.name, record),
    belongs: (record) => grid().rowList.belongs(record) !== false,
    retain: (record) => grid().session.retain(record),
    release: (record) => grid().session.release(record),
  };
}
