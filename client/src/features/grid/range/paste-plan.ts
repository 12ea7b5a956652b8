import { type Bounds, boundsOf, type CellRange } from "./cell-range.ts";

/** One text on its way into one cell of the grid. */
export interface Placement {
  row: number;
  column: number;
  text: string;
}

/**
 * Where pasted cells land: a block whose size divides the selection is repeated to fill it, as
 * spreadsheets do (one copied value fills everything selected); any other goes in once, from the top
 * left corner. What would fall outside the grid is cut off and counted.
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
