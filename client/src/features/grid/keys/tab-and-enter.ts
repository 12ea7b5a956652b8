import { nextToFill } from "../actions/record-actions.ts";
import type { GridController } from "../grid-controller.ts";
import { rowCount, rowOf } from "../range/row-map.ts";
import { focusCell, focusedCell } from "../rows/grid-focus.ts";

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

/** Tab moves the focus within the range, or to the cell beside. Answers false at the end of the row. */
export function runTab(grid: GridController, event: Key): boolean {
  if (traverseRange(grid, event)) return true;
  const at = focusedCell(grid);
  if (!at) return false;
  const column = at.column + (event.shiftKey ? -1 : 1);
  const field = grid.columns[column];
  if (field === undefined) return false;
  grid.range.tab(at, { row: at.row, column });
  focusCell(grid, at.row, field);
  return true;
}

/** Tab saves and goes to the next cell without opening it, as in a spreadsheet. */
export function endByTab(grid: GridController, event: KeyboardEvent): boolean {
  if (event.key !== "Tab") return false;
  event.preventDefault();
  grid.api.stopEditing();
  runTab(grid, event);
  return true;
}

/**
 * Enter saves and goes to the next row, after a run of Tabs to the column where it began, and within a range to its next cell; in a
 * new record above the rows to its next field that is filled by typing, because the row below is a stored record, in which a user who
 * goes on typing would replace a value. At the end of a group, or of all rows, to the row that begins a record there, so that a series
 * of new records does not go on in a record of the next group. It passes headings, where the grid itself would stop.
 */
export function endByEnter(grid: GridController, event: KeyboardEvent): boolean {
  const { api, groups, keys, range } = grid;
  const at = api.getFocusedCell();
  if (event.key !== "Enter" || !at) return false;
  const step = event.shiftKey ? -1 : 1;
  const next = groups.at(at.rowIndex + step);
  const row = rowOf(grid, at) + step;
  const start = step > 0 && row < rowCount(grid) ? range.tabStart : null;
  if (!(next || at.rowPinned || start !== null || range.size.cells > 1)) return false;
  event.preventDefault();
  api.stopEditing();
  if (traverseRange(grid, event)) return true;
  const field = at.column.getColId();
  if (at.rowPinned) {
    const following = nextToFill(grid, field, step);
    if (following !== undefined) focusCell(grid, row - step, following);
  } else if (next?.kind === "new" && step > 0)
    keys.moveTo({ record: null, row, field, extra: { kind: next.kind, key: next.key } });
  else focusCell(grid, Math.max(0, Math.min(row, rowCount(grid) - 1)), start ?? field);
  return true;
}
