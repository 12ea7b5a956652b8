import type { CellPosition } from "ag-grid-community";
import type { GridController } from "../grid-controller.ts";
import {
  indexOfRecord,
  positionOf,
  recordInRow,
  rowOf,
  rowOfRecord,
  showRow,
} from "../range/row-map.ts";

/**
 * Realigns the rows and keeps the focused record, heading or row for new records focused and at the same height on the screen,
 * even if rows above it were added or removed. Call it before the rows are requested again; it ends once they are loaded.
 */
export function preserveFocus(grid: GridController, change: () => void): void {
  const { api } = grid;
  const focused = api.getFocusedCell();
  const record = focused && recordAt(grid, focused);
  const extra = record ? undefined : grid.keys.extra;
  change();
  if (!focused || !(record || extra) || grid.editors.isOpen) return;
  const before = api.getVerticalPixelRange().top - focused.rowIndex * rowHeight(grid);
  const restoreFocus = () => {
    // Rows are drawn a frame later: meanwhile the user may have opened an editor, or moved on.
    if (grid.editors.isOpen || !isSameCell(api.getFocusedCell(), focused)) return;
    const index = extra ? grid.groups.indexOf(extra) : indexOfRecord(grid, record ?? "");
    if (index < 0 || index === focused.rowIndex) return;
    scrollTo(grid, index * rowHeight(grid) + before);
    api.setFocusedCell(index, focused.column);
  };
  // The grid asks for its rows in its next task and draws them when they are handed over.
  setTimeout(() => requestAnimationFrame(restoreFocus), 0);
}

function isHeading({ groups }: GridController, { rowIndex, rowPinned }: CellPosition): boolean {
  return rowPinned !== "top" && groups.at(rowIndex) !== undefined;
}

function isSameCell(a: CellPosition | null, b: CellPosition): boolean {
  return a?.rowIndex === b.rowIndex && a.column === b.column && a.rowPinned === b.rowPinned;
}

function recordAt(grid: GridController, at: CellPosition): string | undefined {
  return at.rowPinned === "top" ? undefined : displayedRecordAt(grid, at);
}

/** The record that the grid still shows there: the window may have moved on already. */
function displayedRecordAt({ api }: GridController, at: CellPosition): string | undefined {
  return api.getDisplayedRowAtIndex(at.rowIndex)?.data?.id;
}

function rowHeight({ api }: GridController): number {
  return api.getSizesForCurrentTheme().rowHeight;
}

function scrollTo(grid: GridController, top: number): void {
  const viewport = grid.host.querySelector(".ag-grid-viewport");
  if (viewport) viewport.scrollTop = top;
}

/** Moves focus and range to a row as counted by `rowCount`, and scrolls to it. */
export function focusCell(grid: GridController, row: number, field: string): void {
  const { rowIndex, pinned } = positionOf(grid, row);
  const record = recordInRow(grid, row)?.id ?? null;
  if (record === null && pinned) return;
  showRow(grid, row);
  grid.api.ensureColumnVisible(field);
  grid.api.setFocusedCell(rowIndex, field, pinned);
  grid.keys.moveTo({ record, row, field });
}

/** The focused cell, with its row as counted by `rowCount`; null if there is none, as on the heading of a group. */
export function focusedCell(
  grid: GridController,
): { row: number; column: number; field: string } | null {
  const at = grid.api.getFocusedCell();
  const field = at?.column.getColId() ?? "";
  const column = grid.columns.indexOf(field);
  if (!at || column < 0 || isHeading(grid, at)) return null;
  // The rows that are drawn may be those of another order yet: what counts is the record that the user sees.
  const shown = recordAt(grid, at);
  const row = shown === undefined ? -1 : rowOfRecord(grid, shown);
  return { row: row < 0 ? rowOf(grid, at) : row, column, field };
}
