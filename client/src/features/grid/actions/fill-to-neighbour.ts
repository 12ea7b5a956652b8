import { deepEqual } from "../../../../../shared/document/deep-equal.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { formatCount } from "../../../ui/numbers.ts";
import { toastFailure, toastProblem } from "../../../ui/toast.tsx";
import type { GridController } from "../grid-controller.ts";
import { boundsOf } from "../range/cell-range.ts";
import type { RangePart } from "../range/range-part.ts";
import { RANGE_MAX_ROWS, READ_ROWS, readPart, recordsOf } from "../range/read-parts.ts";
import { isNewRow, rowCount } from "../range/row-map.ts";
import { fillRows } from "./range-actions.ts";

/**
 * Fills the range down as far as the column beside it is filled: the one before it, or the one after it if that is empty below the range.
 * Rows that are not loaded are read as far as the column goes on. Fills nothing if another range is selected by then, and nothing below
 * a new record: the rows there do not continue it.
 */
export async function fillToNeighbour(grid: GridController): Promise<void> {
  const { range } = grid.range;
  if (!range) return;
  const selected = grid.range.parts.at(-1);
  const { top, bottom, left, right } = boundsOf(range);
  const end = Math.min(rowCount(grid), top + RANGE_MAX_ROWS);
  if (end <= bottom + 1 || isNewRow(grid, bottom)) return;
  const below = {
    anchor: { row: bottom + 1, column: left },
    head: { row: end - 1, column: right },
  };
  const part = grid.range.capture(below);
  try {
    const count = await filledRows(grid, part, [left - 1, right + 1]);
    if (grid.api.isDestroyed() || grid.range.parts.at(-1) !== selected) return;
    const now = grid.range.range;
    const isInPlace = now !== null && deepEqual(boundsOf(now), boundsOf(range));
    if (part.isBroken || !isInPlace) toastFailure(messages.rowsMoved());
    else if (count === part.rowCount && end < rowCount(grid))
      toastFailure(messages.tooManyRows({ count: formatCount(RANGE_MAX_ROWS) }));
    else if (count > 0) {
      const head = { row: bottom + count, column: right };
      grid.range.select({ anchor: { row: top, column: left }, head });
      await fillRows(grid, { count: bottom - top + 1, isBack: false });
    }
  } catch (error) {
    toastProblem(error);
  } finally {
    grid.range.release(part);
  }
}

/** How many of the first rows of a part are filled in the first of these columns that has a value in its first row. */
async function filledRows(
  grid: GridController,
  part: RangePart,
  columns: readonly number[],
): Promise<number> {
  let known = part.unread === 0 ? part.rowCount : 0;
  const count = () => {
    const records = recordsOf(grid, part).slice(0, known);
    const hasValue = (record: RecordView | undefined, name: string) =>
      (record?.values[name] ?? null) !== null;
    const names = columns.flatMap((column) => grid.columns[column] ?? []);
    const name = names.find((one) => hasValue(records[0], one));
    const empty = name === undefined ? 0 : records.findIndex((one) => !hasValue(one, name));
    return empty < 0 ? records.length : empty;
  };
  // Rows are read from the first one on.
  await readPart(grid, part, () => {
    const goesOn = known === 0 || count() === known;
    if (goesOn) known += READ_ROWS;
    return goesOn;
  });
  return count();
}
