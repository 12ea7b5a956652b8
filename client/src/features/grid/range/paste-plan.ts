import { type Bounds, boundsOf, type CellRange } from "./cell-range.ts";

/** A text to paste into a cell of the grid. */
export interface Placement {
  row: number;
  column: number;
  text: string;
}

/**
 * Computes the target of each pasted cell. A block whose size divides the selection is repeated to fill it, as in
 * spreadsheets (one copied value fills the whole selection); any other is pasted once, from the top left corner. Cells
 * outside the grid are cut off and counted.
 */
export function planPaste(
  cells: readonly (readonly string[])[],
  target: CellRange,
  grid: { rows: number; columns: number },
): { placements: Placement[]; cut: number } {
  const height = cells.length;
  const width = Math.max(...cells.map((row) => row.length), 0);
  if (height === 0 || width === 0) return { placements: [], cut: 0 };
  const { top, left, rows, columns } = targetArea(boundsOf(target), height, width);
  const placements: Placement[] = [];
  let cut = 0;
  for (let r = 0; r < rows; r += 1) {
    for (let c = 0; c < columns; c += 1) {
      const text = cells[r % height]?.[c % width];
      if (text === undefined) continue;
      if (top + r >= grid.rows || left + c >= grid.columns) cut += 1;
      else placements.push({ row: top + r, column: left + c, text });
    }
  }
  return { placements, cut };
}

function targetArea(target: Bounds, height: number, width: number) {
  const selectedRows = target.bottom - target.top + 1;
  const selectedColumns = target.right - target.left + 1;
  const repeats = selectedRows % height === 0 && selectedColumns % width === 0;
  return {
    top: target.top,
    left: target.left,
    rows: repeats ? selectedRows : height,
    columns: repeats ? selectedColumns : width,
  };
}
