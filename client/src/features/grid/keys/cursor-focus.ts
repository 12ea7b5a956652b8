import type { CellPosition } from "ag-grid-community";
import type { GridController } from "../grid-controller.ts";
import type { ExtraPlace } from "../groups/place-headings.ts";
import { indexOfRecord, recordInRow, rowOf, rowOfRecord } from "../range/row-map.ts";
import type { Cursor } from "./queued-input.ts";

export function currentId({ core, table }: GridController, record: string): string {
  return core.edits.currentId(table.name, record);
}

/** Whether the browser's focus is where the cursor is: in its cell, in the open editor, or on its heading. */
export function hasFocus(grid: GridController, { record, field, extra }: Cursor): boolean {
  const active = document.activeElement;
  const open = grid.editors.current();
  const isEditing = grid.api.getEditingCells().length > 0;
  // That of a long text has ended a moment before it is closed: until then the next key would reach it.
  if (open && isEditing) return open.element.contains(active);
  if (extra) {
    const row = `.ag-full-width-row[row-index="${grid.groups.indexOf(extra)}"]`;
    return active?.matches(row) === true;
  }
  if (record === null || isEditing) return false;
  return grid.cells.find(currentId(grid, record), field)?.element === active;
}

/** Focuses the cell of a record, as far as it is drawn. */
export function focusRecord(grid: GridController, known: string, field: string): void {
  const record = currentId(grid, known);
  const above = grid.rowList.created.findIndex(({ id }) => id === record);
  const index = above >= 0 ? above : indexOfRecord(grid, record);
  if (index < 0) return;
  const rowPinned = above >= 0 ? "top" : null;
  if (!rowPinned) grid.api.ensureIndexVisible(index);
  grid.api.ensureColumnVisible(field);
  // The rows that are drawn may be those of another order yet.
  if (nodeAt(grid, { rowIndex: index, rowPinned })?.data?.id !== record) return;
  grid.api.setFocusedCell(index, field, rowPinned);
  grid.cells.find(record, field)?.element.focus({ preventScroll: true });
}

/** Focuses a heading or a row for new records, as far as it is drawn. */
export function focusExtra(
  { api, groups }: GridController,
  extra: ExtraPlace,
  field: string,
): void {
  const index = groups.indexOf(extra);
  if (index < 0) return;
  api.ensureIndexVisible(index);
  api.setFocusedCell(index, field);
}

/** The row that the grid has at a position. */
export function nodeAt(
  { api }: GridController,
  { rowIndex, rowPinned }: Pick<CellPosition, "rowIndex" | "rowPinned">,
) {
  return rowPinned === "top" ? api.getPinnedTopRow(rowIndex) : api.getDisplayedRowAtIndex(rowIndex);
}

/**
 * Whether the cursor's record has left the view, and the rows of the view are drawn: its cell will not appear, and the
 * user sees the focus on another record.
 */
export function hasLeftView(grid: GridController, { extra, record }: Cursor): boolean {
  if (extra) return grid.groups.indexOf(extra) < 0;
  if (record === null || rowOfRecord(grid, currentId(grid, record)) >= 0) return false;
  const at = grid.api.getFocusedCell();
  // In a grid that was just drawn, nothing has the focus yet.
  if (!at) return grid.rowList.status.phase === "ready" && !grid.rowList.isAligning;
  const shown = nodeAt(grid, at)?.data?.id;
  return Boolean(shown) && shown === recordInRow(grid, rowOf(grid, at))?.id;
}
