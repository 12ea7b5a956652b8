import { deepEqual } from "../../../../../shared/document/deep-equal.ts";
import type { Json } from "../../../../../shared/filter/filter.ts";
import { toastProblem } from "../../../ui/toast.tsx";
import type { GridController } from "../grid-controller.ts";
import { rowCount, rowOfRecord } from "../range/row-map.ts";
import { focusCell } from "../rows/grid-focus.ts";
import { groupKey } from "./group-filter.ts";
import type { Groups } from "./use-groups.ts";

/** Rows read around the place where a group should begin: changes since it was counted have moved it. */
const REACH_ROWS = 60;

/** Goes to the first row of a group, which by the counts is the row `start` of the window. */
export async function goToGroup(
  grid: GridController,
  { field, grouping, zone }: Pick<Groups, "field" | "grouping" | "zone">,
  key: Json,
  start: number,
): Promise<void> {
  const { window } = grid;
  const isOfGroup = (value: Json) => deepEqual(groupKey(field, grouping, value, zone), key);
  try {
    const { rows } = await window.getRows(Math.max(0, start - REACH_ROWS), start + REACH_ROWS);
    const first = rows.find(({ values }) => isOfGroup(values[field.name] ?? null));
    const counted = Math.min(start + window.created.length, rowCount(grid) - 1);
    const row = first ? rowOfRecord(grid, first.id) : counted;
    if (grid.api.isDestroyed() || row < 0) return;
    if (grid.cards) {
      grid.api.ensureIndexVisible(Math.max(0, row - window.created.length), "top");
      return;
    }
    const column = grid.columns.includes(field.name) ? field.name : grid.columns[0];
    if (column === undefined) return;
    grid.range.selectCell({ row, column: grid.columns.indexOf(column) });
    focusCell(grid, row, column);
  } catch (error) {
    toastProblem(error);
  }
}
