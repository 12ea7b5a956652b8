import { gridMessages as messages } from "../../../messages/en/grid.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { formatCount } from "../../../ui/numbers.ts";
import { toast, toastFailure, toastProblem, toastProgress } from "../../../ui/toast.tsx";
import type { GridController } from "../grid-controller.ts";
import type { RangePart } from "./range-part.ts";

/** The most rows that are read for one copy, deletion, fill or paste. */
export const RANGE_MAX_ROWS = 10_000;
/** So many rows are read at once. */
export const READ_ROWS = 500;

/**
 * Reads the rows of a range that are not read yet, and shows how far it is. Answers whether all are known: nothing is
 * done to rows that moved before they were read, or if the user has pressed Escape.
 */
export async function readParts(
  grid: GridController,
  parts: readonly RangePart[],
): Promise<boolean> {
  const rows = parts.reduce((sum, { rowCount }) => sum + rowCount, 0);
  if (rows > RANGE_MAX_ROWS) {
    toastFailure(messages.tooManyRows({ count: formatCount(RANGE_MAX_ROWS) }));
    return false;
  }
  const unread = parts.filter((part) => part.unread > 0);
  const text = () => {
    const left = unread.reduce((sum, part) => sum + part.unread, 0);
    return messages.readingRows({ done: formatCount(rows - left), count: rows });
  };
  if (unread.length === 0) return true;
  const progress = toastProgress(text());
  const cancel = awaitEscape();
  try {
    for (const part of unread) {
      await readPart(grid, part, () => {
        progress.update(text());
        return !cancel.isPressed();
      });
    }
  } catch (error) {
    toastProblem(error);
    return false;
  } finally {
    progress.close();
    cancel.stop();
  }
  if (cancel.isPressed()) {
    toast(messages.readingCancelled());
    return false;
  }
  const isComplete = unread.every((part) => part.unread === 0 && !part.isBroken);
  if (!isComplete) toastFailure(messages.rowsMoved());
  return isComplete;
}

/** Takes the next Escape, wherever the focus is: it cancels what is under way, and closes nothing. */
function awaitEscape(): { isPressed(): boolean; stop(): void } {
  const listening = new AbortController();
  let isPressed = false;
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || isPressed) return;
    isPressed = true;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  window.addEventListener("keydown", onKey, { capture: true, signal: listening.signal });
  return { isPressed: () => isPressed, stop: () => listening.abort() };
}

/** Reads what a part lacks, in spans, until its rows move. Before each span `isWanted` is asked whether to go on. */
export async function readPart(
  grid: GridController,
  part: RangePart,
  isWanted: () => boolean = () => true,
): Promise<void> {
  const { rowList } = grid;
  const span = part.unreadSpan;
  for (let at = span?.start ?? 0; span && at < span.end; at += READ_ROWS) {
    if (!part.unreadSpan || !isWanted()) return;
    const end = Math.min(span.end, at + READ_ROWS);
    const { rows } = await rowList.getRows(at, end);
    for (const { id } of rows) part.adopt(id);
    grid.range.refresh();
    await keepGridRows(grid);
  }
}

/** The rows that the grid holds count as used, so that the row list does not evict them for those that were just read. */
async function keepGridRows({ api, rowList }: GridController): Promise<void> {
  if (api.isDestroyed()) return;
  const blocks: { startRow: number; endRow: number }[] = Object.values(
    api.getCacheBlockState() ?? {},
  );
  for (const { startRow, endRow } of blocks) await rowList.getRows(startRow, endRow);
}

/** The records of a part, from top to bottom, as they are now. */
export function recordsOf({ rowList }: GridController, part: RangePart): RecordView[] {
  return part.records.flatMap((id) => rowList.get(id) ?? []);
}
