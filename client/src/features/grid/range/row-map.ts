import type { CellPosition, RowPinnedType } from "ag-grid-community";
import type { RecordView } from "../../../state/record-view.ts";
import type { GridController } from "../grid-controller.ts";

type Rows = Pick<GridController, "rowList" | "groups">;

/**
 * The number of rows as the user counts them: first their own new records, which are pinned above, then the rows of the
 * row list. Ranges, pasting and filling use these numbers. The headings of groups, which the grid draws between its rows,
 * are not counted.
 */
export function rowCount({ rowList }: Rows): number {
  return rowList.created.length + rowList.status.rowCount;
}

/** The record in a row, if it is loaded. */
export function recordInRow({ rowList }: Rows, row: number): RecordView | undefined {
  const above = rowList.created.length;
  return row < above ? rowList.created[row] : rowList.at(row - above);
}

/** The rows between two, both included, whose records are loaded, from the top: of a million rows few are. */
export function loadedRows({ rowList }: Rows, top: number, bottom: number): number[] {
  const above = rowList.created.length;
  const created = rowList.created.flatMap((_, row) => (row >= top && row <= bottom ? [row] : []));
  const rows = rowList.loadedRows(Math.max(0, top - above), bottom - above + 1);
  return [...created, ...rows.map((row) => row + above)];
}

/**
 * Whether the row is that of a new record of the user's own, above the rows or where it began. The rows below do not continue it: they are
 * stored records of others.
 */
export function isNewRow(grid: Rows, row: number): boolean {
  const record = recordInRow(grid, row);
  return record !== undefined && grid.rowList.isCreated(record.id);
}

/** The row of a grid position; at a heading, the row that follows. */
export function rowOf(
  { rowList, groups }: Rows,
  at: { rowIndex: number; rowPinned?: RowPinnedType },
): number {
  const { rowIndex, rowPinned } = at;
  return rowPinned === "top" ? rowIndex : groups.rowAtIndex(rowIndex) + rowList.created.length;
}

/** The grid position of a row. */
export function positionOf(
  { rowList, groups }: Rows,
  row: number,
): { rowIndex: number; pinned: RowPinnedType } {
  const above = rowList.created.length;
  if (row < above) return { rowIndex: row, pinned: "top" };
  return { rowIndex: groups.indexOfRow(row - above), pinned: null };
}

/** The row of a record; -1 if it has none, or none that is loaded. */
export function rowOfRecord({ rowList }: Rows, record: string): number {
  const created = rowList.created.findIndex(({ id }) => id === record);
  const index = created < 0 ? rowList.indexOf(record) : created;
  return created >= 0 || index < 0 ? index : index + rowList.created.length;
}

/** Where the grid draws a record that has a row in the list; -1 if it has none, or none that is loaded. */
export function indexOfRecord({ rowList, groups }: Rows, record: string): number {
  const row = rowList.indexOf(record);
  return row < 0 ? -1 : groups.indexOfRow(row);
}

/** The number of rows that the grid draws: those of the row list, and the headings between them. */
export function drawnRowCount({ rowList, groups }: Rows): number {
  return rowList.status.rowCount + groups.count;
}

/** Scrolls to a row, and to the heading right above it. */
export function showRow(grid: Rows & Pick<GridController, "api">, row: number): void {
  const { rowIndex, pinned } = positionOf(grid, row);
  if (pinned) return;
  if (grid.groups.at(rowIndex - 1)) grid.api.ensureIndexVisible(rowIndex - 1);
  grid.api.ensureIndexVisible(rowIndex);
}

/** The row that the grid has at a position. */
export function nodeAt(
  { api }: GridController,
  { rowIndex, rowPinned }: Pick<CellPosition, "rowIndex" | "rowPinned">,
) {
  return rowPinned === "top" ? api.getPinnedTopRow(rowIndex) : api.getDisplayedRowAtIndex(rowIndex);
}
