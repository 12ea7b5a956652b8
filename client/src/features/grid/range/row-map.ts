import type { RowPinnedType } from "ag-grid-community";
import type { RecordView } from "../../../state/record-view.ts";
import type { GridController } from "../grid-controller.ts";

type Rows = Pick<GridController, "window">;

/**
 * The number of rows as the user counts them: first their own new records, which are pinned above, then the rows of the
 * window. Ranges, pasting and filling use these numbers.
 */
export function rowCount({ window }: Rows): number {
  return window.created.length + window.status.rowCount;
}

/** The record in a row, if it is loaded. */
export function recordInRow({ window }: Rows, row: number): RecordView | undefined {
  const above = window.created.length;
  return row < above ? window.created[row] : window.at(row - above);
}

/** The row of a grid position. */
export function rowOf(
  { window }: Rows,
  at: { rowIndex: number; rowPinned?: RowPinnedType },
): number {
  return at.rowPinned === "top" ? at.rowIndex : at.rowIndex + window.created.length;
}

/** The grid position of a row. */
export function positionOf(
  { window }: Rows,
  row: number,
): { rowIndex: number; pinned: RowPinnedType } {
  const above = window.created.length;
  return row < above ? { rowIndex: row, pinned: "top" } : { rowIndex: row - above, pinned: null };
}

/** The row of a record; -1 if it has none, or none that is loaded. */
export function rowOfRecord({ window }: Rows, record: string): number {
  const created = window.created.findIndex(({ id }) => id === record);
  const index = created < 0 ? window.indexOf(record) : created;
  return created >= 0 || index < 0 ? index : index + window.created.length;
}
