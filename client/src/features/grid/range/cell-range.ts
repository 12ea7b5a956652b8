/** A cell by the numbers of its row and its column, as these are now. */
export interface Cell {
  row: number;
  column: number;
}

/**
 * A rectangle of cells, stored as anchor and head, so that Shift+arrow and a dragged pointer can extend and shrink it
 * around its first cell.
 */
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

export function boundsOf({ anchor, head }: CellRange): Bounds {
  return {
    top: Math.min(anchor.row, head.row),
    bottom: Math.max(anchor.row, head.row),
    left: Math.min(anchor.column, head.column),
    right: Math.max(anchor.column, head.column),
  };
}
