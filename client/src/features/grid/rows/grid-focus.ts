import type { CellPosition, Column, IRowNode } from "ag-grid-community";
import { CARD } from "../cells/live-cells.ts";
import type { GridController } from "../grid-controller.ts";
import {
  indexOfRecord,
  nodeAt,
  positionOf,
  recordInRow,
  rowCount,
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
    moveFocus(grid, index, focused.column);
  };
  // The grid asks for its rows in its next task and draws them when it receives them.
  setTimeout(() => requestAnimationFrame(restoreFocus), 0);
}

/**
 * Moves the grid's focus to a cell. The browser's focus follows from the rows, and from nowhere, because rows that are drawn anew lose it. It
 * stays in a menu, a dialog, the record panel or a header.
 */
function moveFocus(grid: GridController, rowIndex: number, column: Column): void {
  const rows = grid.host.querySelector<HTMLElement>(".ag-grid-scrolling-rows");
  // AG Grid moves both, but what is inert can't have the browser's.
  if (rows) rows.inert = !isFocusFree(grid);
  grid.api.setFocusedCell(rowIndex, column);
  if (rows) rows.inert = false;
}

/** Whether the browser's focus is in the rows, or nowhere. */
export function isFocusFree({ host }: GridController): boolean {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) return true;
  return host.contains(activeElement) && activeElement.closest(".ag-row") !== null;
}

/**
 * Gives the browser's focus to the cell that has the grid's, as when a menu closes beside it. If its record has left, the row that is there
 * now takes it, or else one near it.
 */
export function returnFocus(grid: GridController): void {
  if (grid.api.isDestroyed()) return;
  const at = grid.api.getFocusedCell();
  const record = at && nodeAt(grid, at)?.data?.id;
  const cell = record && grid.cells.find(record, at.column.getColId());
  if (cell) cell.element.focus({ preventScroll: true });
  else takeFocus(grid);
}

/**
 * Changes which rows there are. If the record with the focus has left its row, AG Grid focuses a header: a row near it takes the focus, or the one
 * that a new record has got among the others, which is drawn a frame later.
 */
export function keepFocusInRows(grid: GridController, change: () => void): void {
  const { api, host } = grid;
  const isInRows = () => document.activeElement?.closest(".ag-row") !== null;
  const focused = host.contains(document.activeElement) && isInRows() ? api.getFocusedCell() : null;
  const record = focused ? nodeAt(grid, focused)?.data?.id : undefined;
  change();
  if (record === undefined || isInRows() || rowCount(grid) === 0) return;
  if (rowOfRecord(grid, record) < 0) {
    takeFocus(grid);
    return;
  }
  const follow = () => {
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.closest(".ag-header")) {
      takeFocus(grid, record);
    }
  };
  setTimeout(() => requestAnimationFrame(follow), 0);
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

/** The record that the grid still shows there: the row list may have moved on already. */
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
  // Cards have no cursor.
  if (!grid.cards) grid.keys.moveTo({ record, row, field });
}

/**
 * Takes the focus of a panel or a button that goes off the screen. It goes to the record, or else to the row that had it before, or
 * else to the first row: to the first of these that is on the screen, so that nothing scrolls. Without rows it goes to the headers.
 */
export function takeFocus(grid: GridController, record?: string): void {
  const { api, cards, columns } = grid;
  if (api.isDestroyed()) return;
  const at = focusedCell(grid);
  const field = cards ? CARD : (at?.field ?? columns[0]);
  if (field === undefined) return;
  // The focus may have been in a column that is no field, such as the checkboxes.
  const focused = api.getFocusedCell();
  const before = at?.row ?? (focused ? rowOf(grid, focused) : -1);
  const shown = rowsOnScreen(grid);
  const wanted = [record === undefined ? -1 : rowOfRecord(grid, record), before];
  const row = wanted.find((one) => shown.includes(one)) ?? shown[0] ?? 0;
  if (rowCount(grid) > 0) focusCell(grid, row, field);
  else if (!cards) api.setFocusedHeader(field);
}

/** The rows that are on the screen with their whole height, from top to bottom. */
function rowsOnScreen(grid: GridController): number[] {
  const { api, rowList } = grid;
  const { top, bottom } = api.getVerticalPixelRange();
  const isShown = ({ rowTop, rowHeight: height }: IRowNode) =>
    rowTop !== null && rowTop >= top && rowTop + (height ?? 0) <= bottom;
  const indexes = api
    .getRenderedNodes()
    .filter(isShown)
    .flatMap(({ rowIndex }) => rowIndex ?? []);
  const rows = indexes.sort((a, b) => a - b).map((rowIndex) => rowOf(grid, { rowIndex }));
  return [...rowList.created.keys(), ...rows];
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
