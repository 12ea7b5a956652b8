import type { IRowNode, RowPinnedType } from "ag-grid-community";
import type { RecordView } from "../../../state/record-view.ts";
import { toastFailure } from "../../../ui/toast.tsx";
import type { GridController } from "../grid-controller.ts";

/**
 * Rows as a person counts them: my own new records, which are pinned above, come first, then the
 * window's rows. Ranges, pasting and filling think in these numbers.
 */
export function rowCount({ window }: GridController): number {
  return window.created.length + window.status.rowCount;
}

/** The record in a row, if it is held. */
export function recordInRow({ window }: GridController, row: number): RecordView | undefined {
  const above = window.created.length;
  return row < above ? window.created[row] : window.at(row - above);
}

/** The row of a grid position. */
export function rowOf(
  { window }: GridController,
  at: { rowIndex: number; rowPinned?: RowPinnedType },
): number {
  return at.rowPinned === "top" ? at.rowIndex : at.rowIndex + window.created.length;
}

export function rowOfNode(grid: GridController, node: IRowNode): number {
  return rowOf(grid, { rowIndex: node.rowIndex ?? -1, rowPinned: node.rowPinned });
}

/** The grid position of a row. */
export function positionOf(
  { window }: GridController,
  row: number,
): { rowIndex: number; pinned: RowPinnedType } {
  const above = window.created.length;
  return row < above ? { rowIndex: row, pinned: "top" } : { rowIndex: row - above, pinned: null };
}

/** One step writes at most this many rows: more is a change of the whole table, not of a range. */
const STEP_MAX_ROWS = 1_000;

/**
 * The records of rows [top, bottom], read from the server where they are not held; none, and a word
 * to the person, where there are too many for one step.
 */
export async function recordsInRows(
  grid: GridController,
  top: number,
  bottom: number,
): Promise<(RecordView | undefined)[]> {
  if (bottom - top >= STEP_MAX_ROWS) {
    toastFailure(`At most ${STEP_MAX_ROWS.toLocaleString()} rows can be changed in one step.`);
    return [];
  }
  const above = grid.window.created.length;
  if (bottom >= above) {
    await grid.window.getRows(Math.max(0, top - above), bottom - above + 1);
  }
  return Array.from({ length: bottom - top + 1 }, (_, at) => recordInRow(grid, top + at));
}
