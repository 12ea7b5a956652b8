/** A copied cell of a block, and its place from the top left corner of where the block goes. */
export interface Placement<Item> {
  row: number;
  column: number;
  item: Item;
}

interface Plan<Item> {
  /** Made one by one: of a selection that is too large for an action, none is. */
  placements: Iterable<Placement<Item>>;
  rows: number;
  columns: number;
  /** The block fills the selection, once or repeatedly. Otherwise it goes in from the top left corner, and beyond the selection. */
  fills: boolean;
}

/**
 * Computes where each cell of a block goes. A block whose size divides the selection is repeated to fill it, as in
 * spreadsheets: one copied value fills the whole selection, and one copied row goes into each of the rows where fewer columns are selected.
 */
export function planPaste<Item>(
  cells: readonly (readonly Item[])[],
  selected: { rows: number; columns: number },
): Plan<Item> {
  const height = cells.length;
  const width = cells.reduce((widest, row) => Math.max(widest, row.length), 0);
  if (height === 0 || width === 0) return { placements: [], rows: 0, columns: 0, fills: false };
  const fillsRows = selected.rows % height === 0;
  const fillsColumns = selected.columns % width === 0;
  const fills = fillsRows && fillsColumns;
  const rows = fillsRows && (fillsColumns || selected.columns < width) ? selected.rows : height;
  const columns = fillsColumns && (fillsRows || selected.rows < height) ? selected.columns : width;
  return { placements: placementsOf(cells, { rows, columns, width }), rows, columns, fills };
}

function* placementsOf<Item>(
  cells: readonly (readonly Item[])[],
  { rows, columns, width }: { rows: number; columns: number; width: number },
): Generator<Placement<Item>> {
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const item = cells[row % cells.length]?.[column % width];
      if (item !== undefined) yield { row, column, item };
    }
  }
}
