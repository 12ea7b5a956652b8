import { deepEqual } from "../../../../../shared/document/deep-equal.ts";
import { fillColumns, fillRows } from "../actions/range-actions.ts";
import type { GridController } from "../grid-controller.ts";
import { type Bounds, boundsOf, type Cell, type CellRange } from "../range/cell-range.ts";

/** The corner of a range, by which it is filled. */
const CORNER_PX = 9;

/** Whether the pointer is on the corner by which the range is filled. */
export function isCorner({ target, clientX, clientY }: MouseEvent): boolean {
  const cell = target instanceof Element ? target.closest<HTMLElement>("[data-corner]") : null;
  const box = cell?.getBoundingClientRect();
  return box !== undefined && box.right - clientX < CORNER_PX && box.bottom - clientY < CORNER_PX;
}

/** Begins to fill the last part of the range by dragging. Returns the cells that it is filled from. */
export function beginFill({ range }: GridController, from: CellRange): Bounds {
  const filled = boundsOf(from);
  range.select(rectangleOf(filled));
  return filled;
}

/** Extends the range from what it is filled from to a cell: down or up if the cell is below or above, and else to its side. */
export function fillTo({ range }: GridController, filled: Bounds, { row, column }: Cell): void {
  const { top, bottom, left, right } = filled;
  const { anchor: first, head: last } = rectangleOf(filled);
  const isBeside = row >= top && row <= bottom;
  const isBack = isBeside ? column < left : row < top;
  const [anchor, corner] = isBack ? [last, first] : [first, last];
  const side = isBack ? column : Math.max(column, right);
  const to = { anchor, head: isBeside ? { ...corner, column: side } : { ...corner, row } };
  if (!deepEqual(to, range.range)) range.select(to);
}

/** The cell at the side of the range from which a fill goes on when it scrolls. */
export function fillSide(range: CellRange, by: Cell): Cell {
  const { top, bottom, left, right } = boundsOf(range);
  const { row, column } = range.head;
  return {
    row: by.row < 0 ? top : by.row > 0 ? bottom : row,
    column: by.column < 0 ? left : by.column > 0 ? right : column,
  };
}

/** Which way a fill scrolls at the edge: up or down, unless the pointer is beside what is filled. */
export function fillScroll({ top, bottom }: Bounds, at: Cell | null, edge: Cell): Cell {
  const isBeside = at ? at.row >= top && at.row <= bottom : edge.row === 0;
  return isBeside ? { ...edge, row: 0 } : { ...edge, column: 0 };
}

/** Fills what the range has been extended by, wherever its rows are by now. */
export function endFill(grid: GridController, { top, bottom, left, right }: Bounds): void {
  const { range } = grid.range;
  if (!range) return;
  const now = boundsOf(range);
  const { anchor, head } = range;
  const isBack = head.row < anchor.row || head.column < anchor.column;
  const [rows, columns] = [bottom - top + 1, right - left + 1];
  if (now.bottom - now.top >= rows) void fillRows(grid, { count: rows, isBack });
  else if (now.right - now.left >= columns) void fillColumns(grid, { count: columns, isBack });
}

/** Takes the extension back, as when the system ends a touch. */
export function dropFill({ range }: GridController, filled: Bounds): void {
  range.select(rectangleOf(filled));
}

function rectangleOf({ top, bottom, left, right }: Bounds): CellRange {
  return { anchor: { row: top, column: left }, head: { row: bottom, column: right } };
}
