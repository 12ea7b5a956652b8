import { fillDown, fillRight } from "../actions/range-actions.ts";
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

/** Where a fill to a cell ends: below the range, or beside it if the cell is not below. */
export function fillEnd({ bottom, right }: Bounds, { row, column }: Cell): Cell {
  if (row > bottom) return { row, column: right };
  return { row: bottom, column: Math.max(right, column) };
}

/** Which way a fill scrolls at the edge: never both down and to the right. */
export function fillScroll({ bottom }: Bounds, head: Cell | undefined, edge: Cell): Cell {
  const isDown = head?.row !== bottom || edge.row !== 0;
  return isDown ? { ...edge, column: 0 } : edge;
}

/** Fills what the range has been extended by. */
export function endFill(grid: GridController, { top, bottom, left, right }: Bounds): void {
  const head = grid.range.range?.head;
  if (head && head.row > bottom) void fillDown(grid, bottom - top + 1);
  else if (head && head.column > right) void fillRight(grid, right - left + 1);
}

/** Takes the extension back, as when the system ends a touch. */
export function dropFill({ range }: GridController, filled: Bounds): void {
  range.select(rectangleOf(filled));
}

function rectangleOf({ top, bottom, left, right }: Bounds): CellRange {
  return { anchor: { row: top, column: left }, head: { row: bottom, column: right } };
}
