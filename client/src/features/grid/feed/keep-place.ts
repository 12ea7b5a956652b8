import type { CellPosition } from "ag-grid-community";
import type { Desk } from "../desk.ts";
import { positionOf, recordInRow, rowOf } from "../range/row-map.ts";

/**
 * Runs a change of order and keeps the person where they were: the focused record keeps its focus and
 * its height on the screen, even when rows above it came or went. Call it before the rows are
 * asked for again; it ends by itself once they are there.
 */
export function keepPlace(desk: Desk, change: () => void): void {
  const { api } = desk;
  const focused = api.getFocusedCell();
  const record = focused && recordAt(desk, focused);
  change();
  if (!focused || !record || desk.editors.isOpen) return;
  const before = api.getVerticalPixelRange().top - focused.rowIndex * rowHeight(desk);
  const settle = () => {
    const index = desk.window.indexOf(record);
    if (index < 0 || index === focused.rowIndex) return;
    scrollTo(desk, index * rowHeight(desk) + before);
    desk.range.set(null);
    api.setFocusedCell(index, focused.column);
  };
  // The grid asks for its rows in its next task and draws them when they are handed over.
  setTimeout(() => requestAnimationFrame(settle), 0);
}

function recordAt(desk: Desk, at: CellPosition): string | undefined {
  return at.rowPinned === "top" ? undefined : lastSeen(desk, at);
}

/** The record that the grid still shows there: the window may have moved on already. */
function lastSeen({ api }: Desk, at: CellPosition): string | undefined {
  return api.getDisplayedRowAtIndex(at.rowIndex)?.data?.id;
}

function rowHeight({ api }: Desk): number {
  return api.getSizesForCurrentTheme().rowHeight;
}

function scrollTo(desk: Desk, top: number): void {
  const viewport = desk.host.querySelector(".ag-grid-viewport");
  if (viewport) viewport.scrollTop = top;
}

/** Puts focus and range on a row of the person's counting, and scrolls it into sight. */
export function goTo(desk: Desk, row: number, field: string): void {
  const { rowIndex, pinned } = positionOf(desk, row);
  const record = recordInRow(desk, row)?.id ?? null;
  if (record === null && pinned) return;
  if (!pinned) desk.api.ensureIndexVisible(rowIndex);
  desk.api.ensureColumnVisible(field);
  desk.api.setFocusedCell(rowIndex, field, pinned);
  desk.keys.moveTo({ record, row, field });
}

/** Where the focus is, in the person's counting. */
export function focusedCell(desk: Desk): { row: number; column: number; field: string } | null {
  const at = desk.api.getFocusedCell();
  const field = at?.column.getColId() ?? "";
  const column = desk.columns.indexOf(field);
  return at && column >= 0 ? { row: rowOf(desk, at), column, field } : null;
}
