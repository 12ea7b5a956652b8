import type { GridController } from "../grid-controller.ts";
import type { CellRange } from "../range/cell-range.ts";
import { positionOf, recordInRow, rowCount, rowOf, rowOfRecord } from "../range/row-map.ts";
import { focusedCell } from "../rows/grid-focus.ts";

/** How a click goes on from what is selected. */
interface Extension {
  /** With Shift: from the first row or column of the range. */
  extend: boolean;
  /** With Ctrl: beside what is selected, or away from it if it was added before. */
  add: boolean;
}

/** Selects whole rows: one, or all from the first row of the range. */
export function selectRow(grid: GridController, row: number, { extend, add }: Extension): void {
  const { range } = grid.range;
  const from = extend && range ? range.anchor.row : row;
  const last = grid.columns.length - 1;
  const rows: CellRange = { anchor: { row: from, column: 0 }, head: { row, column: last } };
  if (add && !extend && deselect(grid, rows)) return;
  grid.range.select(rows, { add });
  const record = recordInRow(grid, row)?.id;
  const drawn = grid.columns.find((name) => record && grid.cells.find(record, name));
  if (drawn !== undefined) focusInRange(grid, row, drawn);
}

/** Selects whole columns: one, or all from the first column of the range. */
export function selectColumn(
  grid: GridController,
  field: string,
  { extend, add }: Extension,
): void {
  const { range } = grid.range;
  const column = grid.columns.indexOf(field);
  const last = rowCount(grid) - 1;
  if (column < 0 || last < 0) return;
  const from = extend && range ? range.anchor.column : column;
  const columns: CellRange = { anchor: { row: 0, column: from }, head: { row: last, column } };
  if (add && !extend && deselect(grid, columns)) return;
  grid.range.select(columns, { add });
  focusInRange(grid, Math.min(firstVisibleRow(grid), last), field);
}

/** Selects all cells, from what is on the screen. */
export function selectAll(grid: GridController): void {
  const last = { row: rowCount(grid) - 1, column: grid.columns.length - 1 };
  const [field] = grid.columns;
  if (last.row < 0 || field === undefined) return;
  grid.range.select({ anchor: { row: 0, column: 0 }, head: last });
  focusInRange(grid, Math.min(firstVisibleRow(grid), last.row), field);
}

/**
 * There is one selection at a time, so that "Delete" and "Edit" never mean other records than the user is looking at: ticking a row leaves of
 * several selected cells the one with the focus, and selecting several cells unticks the rows.
 */
export function keepOneSelection(grid: GridController): () => void {
  const { api, range } = grid;
  const onTicked = () => {
    if (api.getSelectedNodes().length === 0 || !range.isShown) return;
    const at = focusedCell(grid);
    if (at) range.selectCell(at);
    else range.clear();
  };
  const stop = range.onChange((change) => {
    if (change === "cells" && range.isShown && api.getSelectedNodes().length > 0) api.deselectAll();
  });
  api.addEventListener("rowSelected", onTicked);
  return () => {
    stop();
    if (!api.isDestroyed()) api.removeEventListener("rowSelected", onTicked);
  };
}

/** Takes these cells out of a selection that they were added to, and moves the focus into what is left. Returns whether it has. */
export function deselect(grid: GridController, range: CellRange): boolean {
  const left = grid.range.deselect(range);
  const field = left && grid.columns[left.column];
  if (left && field != null) focusInRange(grid, left.row, field);
  return left !== null;
}

/** Moves the focus without selecting its cell, so that keys act on the range. */
function focusInRange(grid: GridController, row: number, field: string): void {
  const { rowIndex, pinned } = positionOf(grid, row);
  grid.range.holdFocus({ row, column: grid.columns.indexOf(field) });
  grid.api.setFocusedCell(rowIndex, field, pinned);
}

function firstVisibleRow(grid: GridController): number {
  const { top } = grid.api.getVerticalPixelRange();
  const { rowHeight } = grid.api.getSizesForCurrentTheme();
  return rowOf(grid, { rowIndex: Math.ceil(top / rowHeight) });
}

/** The row whose handle, the narrow cell before the record, is at an event. */
export function rowOfHandle(grid: GridController, target: EventTarget | null): number | null {
  const handle = target instanceof Element ? target.closest(".wf-gutter-cell") : null;
  const drawn = handle?.closest("[row-id]");
  if (!drawn || !grid.host.contains(drawn)) return null;
  // The record that the user sees, even if the rows are just being drawn anew.
  for (const { record, element } of grid.cells.all()) {
    const row = record !== null && drawn.contains(element) ? rowOfRecord(grid, record) : -1;
    if (row >= 0) return row;
  }
  return null;
}
