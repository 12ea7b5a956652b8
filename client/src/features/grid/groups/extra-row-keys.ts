import { isComposing } from "../../../records/fields/composing-keys.ts";
import { pasteNew } from "../actions/paste-range.ts";
import { insertRecord, newValues } from "../actions/record-actions.ts";
import { readClipboard } from "../clipboard/clipboard-cells.ts";
import type { GridController } from "../grid-controller.ts";
import { keyName, runKey } from "../keys/key-commands.ts";
import {
  type QueuedInput,
  queuedKey,
  queuedPaste,
  queuedText,
  takesKeys,
} from "../keys/key-queue.ts";
import { drawnRowCount, rowCount } from "../range/row-map.ts";
import { addAt, valuesAt } from "./add-to-group.ts";
import { runExtraRow, toggleGroup } from "./extra-row-view.ts";

type Command = (grid: GridController, index: number) => unknown;

const commands: Record<string, Command> = {
  ArrowLeft: (grid, index) => toggleGroup(grid, index, true),
  ArrowRight: (grid, index) => toggleGroup(grid, index, false),
  Enter: runExtraRow,
  " ": runExtraRow,
  "mod+Enter": addAt,
};

/**
 * The keys of a heading, or of a row for a new record, that has the focus: the grid's own arrows lead to it and on to the
 * next row. What is typed, composed or pasted on a row for new records begins one. Where there are no rows at all, a paste on the screen does
 * so, too: there is nothing else that it could be meant for.
 */
export function extraRowKeys(grid: GridController): () => void {
  const { host } = grid;
  const begin = (index: number, inputs: readonly QueuedInput[]) => {
    if (grid.groups.at(index)?.kind !== "new") return;
    addAt(grid, index);
    grid.keys.playThere(...inputs);
  };
  const onKey = (event: KeyboardEvent) => {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    const name = keyName(event);
    const row = extraRowAt(target);
    const index = row?.getAttribute("row-index") ?? null;
    if (row && index !== null && isComposing(event)) {
      // The input method must find an input now: the cell of the new record is drawn later.
      const where = grid.groups.at(Number(index));
      if (where?.kind !== "new") return;
      grid.keys.compose(row, row.textContent, (text) =>
        begin(grid.groups.indexOf(where), queuedText(text)),
      );
      return;
    }
    const isTyped = key.length === 1 && !ctrlKey && !metaKey && !altKey;
    if (index === null) return;
    const command = commands[name];
    if (command) command(grid, Number(index));
    else if (!isTyped && !runKey(grid, event, "heading")) return;
    event.preventDefault();
    event.stopPropagation();
    if (isTyped && !command) begin(Number(index), [queuedKey(event)]);
  };
  const onPaste = (event: ClipboardEvent) => {
    const { clipboardData: clipboard, target, defaultPrevented } = event;
    if (!clipboard || defaultPrevented) return;
    const index = Number(extraRowAt(target)?.getAttribute("row-index") ?? -1);
    const isEmpty = mayBegin(grid, target);
    const initial = isEmpty ? newValues(grid) : valuesAt(grid, index);
    if (!initial) return;
    const { rows } = readClipboard(clipboard);
    if (rows.length === 0) return;
    event.preventDefault();
    // One row is a record to go on with. More would be written over the records below.
    if (rows.length > 1) void pasteNew(grid, clipboard, initial);
    else if (isEmpty) {
      insertRecord(grid);
      grid.keys.playThere(queuedPaste(clipboard));
    } else begin(index, [queuedPaste(clipboard)]);
  };
  host.addEventListener("keydown", onKey, true);
  document.addEventListener("paste", onPaste);
  return () => {
    host.removeEventListener("keydown", onKey, true);
    document.removeEventListener("paste", onPaste);
  };
}

/** Whether what is pasted here begins a record in a view without rows. Cards have no cell for it. */
function mayBegin(grid: GridController, target: EventTarget | null): boolean {
  const { abilities, cards, rowList } = grid;
  const isEmpty = rowList.status.phase === "ready" && drawnRowCount(grid) + rowCount(grid) === 0;
  return isEmpty && abilities.create && !cards && !takesKeys(target);
}

function extraRowAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof HTMLElement && target.matches(".ag-full-width-row") ? target : null;
}
