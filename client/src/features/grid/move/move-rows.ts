import { randomId } from "@mantine/hooks";
import type { Move } from "../../../../../shared/protocol/views.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { moveRecords } from "../../../sync/calls/move-records.ts";
import { announce } from "../../../ui/announce.ts";
import { formatCount } from "../../../ui/numbers.ts";
import { toast, toastProblem } from "../../../ui/toast.tsx";
import type { GridController } from "../grid-controller.ts";
import { indexOfRecord } from "../range/row-map.ts";

/**
 * Moves rows by hand. A call names the record that others come behind, and no row: rows are numbers of one screen, and between two
 * of its records there may be others that its user does not see. The rows follow as those of any view that was changed: the view's
 * version is part of the query (`orderOf` in sync/rows/view-query.ts), so they are read anew.
 *
 * Moves are made one after the other, each from the rows as the one before has left them: a key that is pressed three times moves by three.
 */

let last: Promise<unknown> = Promise.resolve();

/** What is moved, and behind which row of the list it comes; -1: before all. */
interface Plan {
  records: readonly string[];
  behind: number;
}

/** Where a command moves rows to. */
export type Direction = "up" | "down" | "top" | "bottom";

/** Moves the rows of records. */
export function moveTo(
  grid: GridController,
  records: readonly string[],
  direction: Direction,
): Promise<void> {
  return inTurn(grid, async () => {
    const rows = rowsOf(grid, records);
    return rows && { records, behind: rowBehind(grid, rows, direction) };
  });
}

/** Moves records behind the row of another one; null: before all. */
export function moveBehind(
  grid: GridController,
  records: readonly string[],
  behind: string | null,
): Promise<void> {
  return inTurn(grid, async () => {
    const row = behind === null ? -1 : grid.rowList.indexOf(behind);
    // It may have left the rows while a move before was under way.
    return behind !== null && row < 0 ? null : { records, behind: row };
  });
}

function inTurn(grid: GridController, plan: () => Promise<Plan | null>): Promise<void> {
  const mine = last.then(() => (grid.api.isDestroyed() ? undefined : move(grid, plan)));
  last = mine.catch(toastProblem);
  return mine.catch(() => {});
}

async function move(grid: GridController, make: () => Promise<Plan | null>): Promise<void> {
  const { view, reason } = grid.actions.movable();
  if (!view || reason !== null) {
    toast(reason ?? messages.moveNeedsView());
    return;
  }
  const plan = await make();
  const rows = plan && rowsOf(grid, plan.records);
  if (!plan || !rows) {
    toast(messages.moveNeedsLoaded());
    return;
  }
  const records = plan.records.toSorted(
    (a, b) => grid.rowList.indexOf(a) - grid.rowList.indexOf(b),
  );
  const after = await neighbourAt(grid, plan.behind, new Set(records));
  const back = await movesBack(grid, rows);
  if (after === undefined || !back) {
    toast(messages.moveNeedsLoaded());
    return;
  }
  const [first] = back;
  // Where they are already: one run of rows, behind the same record.
  if (back.length === 1 && first?.after === after) return;
  const moves = [{ records, after }];
  const moved = await moveRecords(view.id, moves);
  grid.core.undo.moved(randomId(), { table: grid.table.name, view: view.id, moves, back });
  await untilShown(grid, view.id, moved?.orderVersion ?? 0);
  const row = indexOfRecord(grid, records[0] ?? "");
  if (row < 0) return;
  grid.api.ensureIndexVisible(row);
  const values = {
    count: records.length,
    row: formatCount(grid.rowList.indexOf(records[0] ?? "") + 1),
  };
  announce(messages.movedTo(values));
}

/** The rows of records, from the top; null if one has no row, or is not stored. */
function rowsOf({ rowList }: GridController, records: readonly string[]): number[] | null {
  const rows = records.map((id) => (isStored(rowList.get(id)) ? rowList.indexOf(id) : -1));
  if (rows.length === 0 || rows.some((row) => row < 0)) return null;
  return rows.toSorted((a, b) => a - b);
}

/** A draft is not in the order yet, and what is deleted is not in it any more. */
function isStored(record: RecordView | undefined): record is RecordView {
  return record !== undefined && record.pending !== "draft" && record.mark !== "deleted";
}

/** The row that the moved ones come behind. */
function rowBehind(
  { rowList }: GridController,
  rows: readonly number[],
  direction: Direction,
): number {
  if (direction === "top") return -1;
  if (direction === "bottom") return rowList.status.rowCount - 1;
  return direction === "up" ? (rows[0] ?? 0) - 2 : (rows.at(-1) ?? 0) + 1;
}

/** How many rows are read above one whose record is not known. */
const READ_ABOVE = 20;

/**
 * The record in a row, or in the nearest one above it, that is in the order and is not moved itself; null if there is none. Undefined if the
 * record of a row can't be known.
 */
async function neighbourAt(
  { rowList }: GridController,
  row: number,
  moved: ReadonlySet<string>,
): Promise<string | null | undefined> {
  for (let at = Math.min(row, rowList.status.rowCount - 1); at >= 0; at--) {
    if (!rowList.at(at)) await rowList.getRows(Math.max(0, at - READ_ABOVE), at + 1);
    const record = rowList.at(at);
    if (!record) return undefined;
    if (isStored(record) && !moved.has(record.id)) return record.id;
  }
  return null;
}

/** What puts rows back where they are now: each run of them behind the record above it, from the top. */
async function movesBack(grid: GridController, rows: readonly number[]): Promise<Move[] | null> {
  const ids = rows.map((row) => grid.rowList.at(row)?.id ?? "");
  const moved = new Set(ids);
  const moves: Move[] = [];
  for (const [n, row] of rows.entries()) {
    const id = ids[n] ?? "";
    const run = row === (rows[n - 1] ?? Number.NaN) + 1 ? moves.at(-1) : undefined;
    if (run) {
      run.records.push(id);
      continue;
    }
    const after = await neighbourAt(grid, row - 1, moved);
    if (after === undefined) return null;
    moves.push({ records: [id], after });
  }
  return moves;
}

/** Resolves when the rows are in that order, or will not be: they are those of another view by now, or can't be read. */
function untilShown({ rowList }: GridController, view: string, version: number): Promise<void> {
  const isOver = () => {
    const [asked, shown] = [rowList.view.orderOf, rowList.shownView.orderOf];
    const isLeft = asked !== undefined && asked.view !== view;
    const isShown = shown?.view === view && shown.version >= version;
    return isShown || isLeft || rowList.isClosed || rowList.status.phase === "refused";
  };
  return new Promise((resolve) => {
    const end = () => {
      stop();
      clearTimeout(limit);
      resolve();
    };
    const stop = rowList.onRows(() => isOver() && end());
    // Of rows that are closed nothing is heard any more.
    const limit = setTimeout(end, SHOWN_MAX_MS);
    if (isOver()) end();
  });
}

/** A move waits for the rows of the one before for so long. */
const SHOWN_MAX_MS = 5_000;
