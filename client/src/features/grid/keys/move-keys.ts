import type { GridController } from "../grid-controller.ts";
import type { Cell } from "../range/cell-range.ts";
import { loadedRows, recordInRow, rowCount, rowOf } from "../range/row-map.ts";
import { focusCell, focusedCell } from "../rows/grid-focus.ts";
import { showCell } from "./pointer-range.ts";

/** Where a key leads from a cell. */
type Move = (grid: GridController, from: Cell) => Cell;

const steps: Record<string, Cell> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
};

const moves: Record<string, Move> = {
  Home: (_grid, { row }) => ({ row, column: 0 }),
  End: (grid, { row }) => ({ row, column: grid.columns.length - 1 }),
  "mod+Home": () => ({ row: 0, column: 0 }),
  "mod+End": (grid) => ({ row: rowCount(grid) - 1, column: grid.columns.length - 1 }),
  PageUp: (grid, { row, column }) => ({ row: row - pageRows(grid), column }),
  PageDown: (grid, { row, column }) => ({ row: row + pageRows(grid), column }),
};
for (const [key, by] of Object.entries(steps)) {
  moves[key] = (_grid, { row, column }) => ({ row: row + by.row, column: column + by.column });
  moves[`mod+${key}`] = (grid, from) => toEdge(grid, from, by);
}

/** Moves the focus, or with Shift the end of the range. Answers false for keys that are the grid's own. */
export function runMove(grid: GridController, name: string): boolean {
  const isExtending = name.includes("shift+");
  const key = name.replace("shift+", "");
  const move = moves[key];
  const at = focusedCell(grid) ?? besideExtra(grid);
  if (!move || !at || (key in steps && !isExtending)) return false;
  const to = within(grid, move(grid, isExtending ? (grid.range.range?.head ?? at) : at));
  const field = grid.columns[to.column];
  if (isExtending) {
    if (!grid.range.range) grid.range.selectCell(at);
    grid.range.extendTo(to);
    showCell(grid, to);
    return true;
  }
  grid.range.selectCell(to);
  if (field !== undefined) focusCell(grid, to.row, field);
  // The first column is always there; what begins after it is shown as well.
  const next = key.endsWith("Home") ? grid.columns[1] : undefined;
  if (next !== undefined) grid.api.ensureColumnVisible(next);
  return true;
}

/** On a heading or a row for new records: the cell of the row that follows, or of the last one. */
function besideExtra(grid: GridController): Cell | null {
  const at = grid.api.getFocusedCell();
  if (!at || !grid.keys.extra || rowCount(grid) === 0) return null;
  // After a click, the focus may be in a column that is no field.
  const column = Math.max(0, grid.columns.indexOf(at.column.getColId()));
  return within(grid, { row: rowOf(grid, at), column });
}

/** To the last cell before an empty one, or over empty cells to the next that has a value. */
function toEdge(grid: GridController, { row, column }: Cell, by: Cell): Cell {
  const hasValue = (at: Cell) => {
    const record = recordInRow(grid, at.row);
    // A row that is not read counts as filled: its values are unknown.
    return !record || (record.values[grid.columns[at.column] ?? ""] ?? null) !== null;
  };
  if (by.row === 0) {
    const isFilled = (index: number) => hasValue({ row, column: index });
    return { row, column: edgeOfData(column, by.column, grid.columns.length, isFilled) };
  }
  const isFilled = (index: number) => hasValue({ row: index, column });
  const count = rowCount(grid);
  const loaded = loadedRows(grid, 0, count - 1);
  const skip = (index: number) => endOfUnread(loaded, index, by.row, count);
  return { row: edgeOfData(row, by.row, count, isFilled, skip), column };
}

/** The last of the rows that are not read from this one on; this one, if it is `loaded`. */
export function endOfUnread(
  loaded: readonly number[],
  row: number,
  step: number,
  count: number,
): number {
  const isBeyond = (other: number) => (other - row) * step >= 0;
  const next = step > 0 ? loaded.find(isBeyond) : loaded.findLast(isBeyond);
  if (next === row) return row;
  return next === undefined ? (step > 0 ? count - 1 : 0) : next - step;
}

function within(grid: GridController, { row, column }: Cell): Cell {
  return {
    row: Math.max(0, Math.min(rowCount(grid) - 1, row)),
    column: Math.max(0, Math.min(grid.columns.length - 1, column)),
  };
}

function pageRows({ api }: GridController): number {
  const { top, bottom } = api.getVerticalPixelRange();
  return Math.max(1, Math.floor((bottom - top) / api.getSizesForCurrentTheme().rowHeight) - 1);
}

/**
 * Where Ctrl and an arrow lead: from a filled cell beside a filled one to the last of these, otherwise to the next filled
 * one, or to the end. `skip` leads over those that count as filled without being known.
 */
export function edgeOfData(
  from: number,
  step: number,
  count: number,
  isFilled: (index: number) => boolean,
  skip = (index: number) => index,
): number {
  const isInside = (index: number) => index >= 0 && index < count;
  let at = from + step;
  if (!isInside(at)) return from;
  const isRun = isFilled(from) && isFilled(at);
  const isEnd = () => (isRun ? !isFilled(at + step) : isFilled(at));
  if (isRun) at = skip(at);
  while (isInside(at + step) && !isEnd()) at = isRun ? skip(at + step) : at + step;
  return at;
}
