/**
 * A rectangle of cells by row and column index, stored as anchor and head, so that Shift+arrow and a dragged pointer can
 * extend and shrink it around its first cell.
 */
export interface Cell {
  row: number;
  column: number;
}

export interface CellRange {
  anchor: Cell;
  head: Cell;
}

/** The same rectangle by its sides, all inclusive. */
export interface Bounds {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** The range that is one cell. */
export function rangeOf(cell: Cell): CellRange {
  return { anchor: cell, head: cell };
}

export function boundsOf(range: CellRange): Bounds {
  const { anchor, head } = range;
  return {
    top: Math.min(anchor.row, head.row),
    bottom: Math.max(anchor.row, head.row),
    left: Math.min(anchor.column, head.column),
    right: Math.max(anchor.column, head.column),
  };
}

export function isSingle(range: CellRange): boolean {
  return range.anchor.row === range.head.row && range.anchor.column === range.head.column;
}

export function contains(bounds: Bounds, cell: Cell): boolean {
  return (
    cell.row >= bounds.top &&
    cell.row <= bounds.bottom &&
    cell.column >= bounds.left &&
    cell.column <= bounds.right
  );
}

/** How many cells the rectangle holds. */
export function sizeOf(range: CellRange): number {
  const { top, bottom, left, right } = boundsOf(range);
  return (bottom - top + 1) * (right - left + 1);
}

/** The range with its head moved, held inside a grid of `rows` × `columns`. */
export function extend(
  range: CellRange,
  by: { rows: number; columns: number },
  grid: { rows: number; columns: number },
): CellRange {
  const head = {
    row: clamp(range.head.row + by.rows, grid.rows),
    column: clamp(range.head.column + by.columns, grid.columns),
  };
  return { anchor: range.anchor, head };
}

function clamp(value: number, count: number): number {
  return Math.max(0, Math.min(count - 1, value));
}
