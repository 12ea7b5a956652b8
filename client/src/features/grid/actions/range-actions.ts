import type { Desk } from "../desk.ts";
import { boundsOf } from "../range/cell-range.ts";
import { recordInRow, recordsInRows } from "../range/row-map.ts";
import { type CellValue, editCells } from "./edit-cells.ts";

/** Empties every cell of the range that may be written. */
export async function clearRange(desk: Desk): Promise<void> {
  const { range } = desk.range;
  if (!range) return;
  const { top, bottom, left, right } = boundsOf(range);
  const records = await recordsInRows(desk, top, bottom);
  const cells: CellValue[] = [];
  for (const record of records) {
    for (const field of desk.columns.slice(left, right + 1)) {
      if (record) cells.push({ record, field, value: null });
    }
  }
  editCells(desk, cells, "cleared");
}

/**
 * Fills the range downwards with its top row; a single cell takes the value of the one above it, as
 * Ctrl-D does in spreadsheets.
 */
export async function fillDown(desk: Desk): Promise<void> {
  const { range } = desk.range;
  if (!range) return;
  const bounds = boundsOf(range);
  const from = bounds.top === bounds.bottom ? bounds.top - 1 : bounds.top;
  const source = recordInRow(desk, from);
  if (!source) return;
  const records = await recordsInRows(desk, from + 1, bounds.bottom);
  const cells: CellValue[] = [];
  for (const record of records) {
    for (const field of desk.columns.slice(bounds.left, bounds.right + 1)) {
      if (record) cells.push({ record, field, value: source.values[field] ?? null });
    }
  }
  editCells(desk, cells, "filled");
}
