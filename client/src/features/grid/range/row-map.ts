import type { IRowNode, RowPinnedType } from "ag-grid-community";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { formatCount } from "../../../ui/numbers.ts";
import { toastFailure } from "../../../ui/toast.tsx";
import type { GridController } from "../grid-controller.ts";

/**
 * The number of rows as the user counts them: first their own new records, which are pinned above, then the rows of the
 * window. Ranges, pasting and filling use these numbers.
 */
export function rowCount({ window }: GridController): number {
  return window.created.length + window.status.rowCount;
}

/** The record in a row, if it is loaded. */
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

/** The most rows that one step may write. */
const STEP_MAX_ROWS = 1_000;

/**
 * The records of rows [top, bottom], loaded from the server if necessary. Empty, with a message, if there are too many for
 * one step.
 */
export async function recordsInRows(
  grid: GridController,
  top: number,
  bottom: number,
): Promise<(RecordView | undefined)[]> {
  if (bottom - top >= STEP_MAX_ROWS) {
    toastFailure(messages.tooManyRows({ count: formatCount(STEP_MAX_ROWS) }));
    return [];
  }
  const above = grid.window.created.length;
  if (bottom >= above) {
    await grid.window.getRows(Math.max(0, top - above), bottom - above + 1);
  }
  return Array.from({ length: bottom - top + 1 }, (_, at) => recordInRow(grid, top + at));
}
