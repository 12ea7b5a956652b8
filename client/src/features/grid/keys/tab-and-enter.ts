import type { CellPosition } from "ag-grid-community";
import { neededFields } from "../../../../../shared/model/needed-fields.ts";
import { isLookedUp } from "../../../records/fields/field-edit.ts";
import { insertRecord, nextToFill } from "../actions/record-actions.ts";
import type { GridController } from "../grid-controller.ts";
import { indexOfRecord, recordInRow, rowCount, rowOf } from "../range/row-map.ts";
import { focusCell, focusedCell } from "../rows/grid-focus.ts";
import { currentId } from "./key-queue.ts";

type Key = Pick<KeyboardEvent, "key" | "shiftKey">;

/** Moves the focus within a range of several cells: Tab along its rows, Enter down its columns. Answers whether it did. */
export function traverseRange(grid: GridController, { key, shiftKey }: Key): boolean {
  const at = focusedCell(grid);
  const along = key === "Tab" ? "row" : "column";
  const to = at && grid.range.traverse(at, { along, step: shiftKey ? -1 : 1 });
  const field = to && grid.columns[to.column];
  if (!to || field == null) return false;
  focusCell(grid, to.row, field);
  return true;
}

/**
 * Tab moves the focus within the range, or to the cell beside, and from the end of a row to the next one, so that what is typed next
 * does not replace what was just typed. Answers false where there is no other cell.
 */
export function runTab(grid: GridController, event: Key): boolean {
  if (traverseRange(grid, event)) return true;
  const at = focusedCell(grid);
  if (!at) return false;
  const step = event.shiftKey ? -1 : 1;
  const column = at.column + step;
  const field = grid.columns[column];
  if (field === undefined) return runTabBeyond(grid, at.row, step);
  grid.range.tab(at, { row: at.row, column });
  focusCell(grid, at.row, field);
  return true;
}

/** From the end of a row to the beginning of the next one, or back; from a new record above the rows to a further one. */
function runTabBeyond(grid: GridController, row: number, step: 1 | -1): boolean {
  const isNew = row < grid.rowList.created.length;
  const field = grid.columns.at(step > 0 ? 0 : -1);
  if (field === undefined) return false;
  if (isNew && step > 0) return beginNext(grid, row);
  if (step > 0 && leadsToNewRow(grid, row, field)) return true;
  const to = row + step;
  if (to < 0 || to >= rowCount(grid)) return false;
  focusCell(grid, to, field);
  return true;
}

/** Goes on from a new record above the rows to the next one, in the same group. */
function beginNext(grid: GridController, row: number): boolean {
  const record = recordInRow(grid, row);
  if (!record || !grid.abilities.create) return false;
  const group = grid.core.edits.begunIn(grid.table.name, record.id) ?? null;
  insertRecord(grid, group && { group, row: null });
  return true;
}

/** Stays in the last row. What is typed next is for a row that is not there. */
function endRows(grid: GridController, row: number, field: string): void {
  const { id: record } = recordInRow(grid, row) ?? {};
  focusCell(grid, row, field);
  grid.editors.ended = record === undefined ? null : { record, field };
}

/** Whether a required field of the record is empty, and nothing was typed into it that is still being looked up. */
function lacksRequired(grid: GridController, row: number): boolean {
  const { name: table } = grid.table;
  const { id, values } = recordInRow(grid, row) ?? {};
  if (id === undefined || !values) return false;
  const missing = neededFields(grid.table, values);
  return missing.some(({ name }) => !isLookedUp({ table, record: id, field: name }));
}

/** Goes to the row that begins a record, if that is what comes below. */
function leadsToNewRow({ groups, keys, rowList }: GridController, row: number, field: string) {
  const above = rowList.created.length;
  const next = groups.at(groups.indexOfRow(row - above) + 1);
  if (next?.kind !== "new") return false;
  keys.moveTo({ record: null, row: row + 1, field, extra: { kind: next.kind, key: next.key } });
  return true;
}

/** The cell that is being edited. AG Grid's focus keeps its row number when the rows are read anew, and the editor its record. */
function editedCell(grid: GridController): (CellPosition & { isMoved: boolean }) | null {
  const at = grid.api.getFocusedCell();
  const open = grid.editors.current();
  const index = open ? indexOfRecord(grid, currentId(grid, open.record)) : -1;
  if (!at || at.rowPinned || index < 0) return at && { ...at, isMoved: false };
  return { ...at, rowIndex: index, isMoved: index !== at.rowIndex };
}

/**
 * Escape drops what is in the editor and leaves the focus in its cell. AG Grid would end the editor in a later task, and a key that is pressed
 * before would be lost in it.
 */
export function endByEscape(grid: GridController, event: KeyboardEvent): boolean {
  const { api } = grid;
  const at = editedCell(grid);
  if (event.key !== "Escape" || !at) return false;
  event.preventDefault();
  api.stopEditing(true);
  api.setFocusedCell(at.rowIndex, at.column, at.rowPinned);
  return true;
}

/** Tab saves and goes to the next cell without opening it, as in a spreadsheet. */
export function endByTab(grid: GridController, event: KeyboardEvent): boolean {
  if (event.key !== "Tab") return false;
  const at = editedCell(grid);
  grid.api.stopEditing();
  if (at?.isMoved) grid.api.setFocusedCell(at.rowIndex, at.column);
  // Where there is no other cell, the key is the grid's own, which leads out of the rows.
  const isDone = runTab(grid, event);
  if (isDone) event.preventDefault();
  return isDone;
}

/**
 * Ends the edit of a cell by Enter and goes on. In the ordinary case, from a row to the one right below it, it answers false and AG Grid does
 * just that. All others are decided here: after a run of Tabs Enter goes to the column where it began, and within a range to its next cell. In a
 * new record above the rows it goes to the next field that is filled by typing, because the row below is a stored record, in which a
 * user who goes on typing would replace a value; after the last field, or a run of Tabs that left out nothing required, to a further
 * new record. At the end of a group, or of all rows, it goes to the row that begins a record there, so that a series of new records
 * does not go on in a record of the next group. It passes headings, where AG Grid itself would stop. In the last row, where none can be begun,
 * it stays. What becomes of the text is FieldEdit's: AG Grid asks the editor for its end whenever it stops it.
 */
export function endByEnter(grid: GridController, event: KeyboardEvent): boolean {
  const { api, groups, keys, range } = grid;
  const at = editedCell(grid);
  if (event.key !== "Enter" || !at) return false;
  const step = event.shiftKey ? -1 : 1;
  const next = groups.at(at.rowIndex + step);
  const row = rowOf(grid, at) + step;
  const isTabbed = step > 0 && range.tabStart !== null;
  const start = isTabbed && row < rowCount(grid) ? range.tabStart : null;
  const isEnd = step > 0 && row >= rowCount(grid) && !at.rowPinned;
  if (isEnd && !next && range.size.cells < 2) {
    event.preventDefault();
    api.stopEditing();
    endRows(grid, row - step, at.column.getColId());
    return true;
  }
  const isOurs = at.isMoved || next || at.rowPinned || start !== null || range.size.cells > 1;
  if (!isOurs) return false;
  event.preventDefault();
  api.stopEditing();
  if (traverseRange(grid, event)) return true;
  const field = at.column.getColId();
  if (at.rowPinned) {
    const isFilled = isTabbed && !lacksRequired(grid, row - step);
    const following = isFilled ? undefined : nextToFill(grid, field, step);
    if (following !== undefined) focusCell(grid, row - step, following);
    else if (step > 0) beginNext(grid, row - step);
  } else if (next?.kind === "new" && step > 0)
    keys.moveTo({ record: null, row, field, extra: { kind: next.kind, key: next.key } });
  else focusCell(grid, Math.max(0, Math.min(row, rowCount(grid) - 1)), start ?? field);
  return true;
}
