import { toast, toastProblem } from "../../../ui/toast.tsx";
import { selectedRecords } from "../actions/record-actions.ts";
import type { GridController } from "../grid-controller.ts";
import type { Direction } from "./move-rows.ts";

/**
 * Which rows a command moves by hand, and whether it can. How they are moved (move-rows.ts) and dragged (drag-rows.ts) is loaded with the
 * first such command.
 */

const directions: Readonly<Record<string, Direction>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  Home: "top",
  End: "bottom",
};

/** Moves the selected rows, or says why they can't be moved. */
export function moveByKey(grid: GridController, key: string): boolean {
  const direction = directions[key];
  if (direction) moveSelected(grid, direction);
  return direction !== undefined;
}

/** Moves the selected rows; what was asked for first is done first. */
export function moveSelected(grid: GridController, direction: Direction): void {
  const { reason } = grid.actions.movable();
  if (reason !== null) {
    toast(reason);
    return;
  }
  const records = selectedIds(grid);
  import("./move-rows.ts")
    .then(({ moveTo }) => moveTo(grid, records, direction))
    .catch(toastProblem);
}

/** The ids of the records that a command moves: the ticked ones, or else those of the selected cells. */
function selectedIds(grid: GridController): string[] {
  const ticked = selectedRecords(grid).map(({ id }) => id);
  if (ticked.length > 0) return ticked;
  return [...new Set(grid.range.parts.flatMap(({ records }) => [...records]))];
}

/** The records that are dragged by the row number of one: those that are selected as a whole with it, or it alone. */
export function draggedIds(grid: GridController, record: string): string[] {
  const { isShown, parts } = grid.range;
  const isWhole = isShown && parts.every(({ fields }) => fields.length === grid.columns.length);
  const selected = isWhole || selectedRecords(grid).length > 0 ? selectedIds(grid) : [];
  return selected.includes(record) ? selected : [record];
}

/** Drags them from where the pointer is pressed (drag-rows.ts). */
export function beginDrag(grid: GridController, record: string, event: PointerEvent): void {
  const records = draggedIds(grid, record);
  import("./drag-rows.ts")
    .then(({ dragRows }) => dragRows(grid, { record, records }, event))
    .catch(toastProblem);
}
