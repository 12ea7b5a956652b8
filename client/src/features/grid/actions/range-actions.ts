import { gridMessages as messages } from "../../../messages/en/grid.ts";
import type { GridController } from "../grid-controller.ts";
import { boundsOf } from "../range/cell-range.ts";
import { recordInRow, recordsInRows } from "../range/row-map.ts";
import { type CellValue, editCells } from "./edit-cells.ts";

/** Clears every writable cell of the range. */
export async function clearRange(grid: GridController): Promise<void> {
  const { range } = grid.range;
  if (!range) return;
  const { top, bottom, left, right } = boundsOf(range);
  const records = await recordsInRows(grid, top, bottom);
  const cells: CellValue[] = [];
  for (const record of records) {
    for (const field of grid.columns.slice(left, right + 1)) {
      if (record) cells.push({ record, field, value: null });
    }
  }
  editCells(grid, cells, messages.cleared);
}

/**
 * Fills the range down from its top row. A single cell takes the value of the one above it, as Ctrl-D does in
 * spreadsheets.
 */
export async function fillDown(grid: GridController): Promise<void> {
  const { range } = grid.range;
  if (!range) return;
  const bounds = boundsOf(range);
  const from = bounds.top === bounds.bottom ? bounds.top - 1 : bounds.top;
  const source = recordInRow(grid, from);
  if (!source) return;
  const records = await recordsInRows(grid, from + 1, bounds.bottom);
  const cells: CellValue[] = [];
  for (const record of records) {
    for (const field of grid.columns.slice(bounds.left, bounds.right + 1)) {
      if (record) cells.push({ record, field, value: source.values[field] ?? null });
    }
  }
  editCells(grid, cells, messages.filled);
}
