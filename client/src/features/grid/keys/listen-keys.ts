import { readOnlyReason } from "../../../ui/fields/read-only-reason.ts";
import { toastFailure } from "../../../ui/toast.tsx";
import { copyOrCut } from "../actions/copy-range.ts";
import { pasteRange } from "../actions/paste-range.ts";
import type { GridController } from "../grid-controller.ts";
import { recordInRow } from "../range/row-map.ts";
import { focusedCell } from "../rows/grid-focus.ts";
import { runKey } from "./key-commands.ts";

/**
 * Handles the grid's own keys and clipboard before AG Grid does. While a cell is edited, all events go to the editor.
 */
export function listenKeys(grid: GridController): () => void {
  const { host } = grid;
  const onKey = (event: KeyboardEvent) => {
    if (!isOnCell(event.target) || !runKey(grid, event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onCopy = (event: ClipboardEvent) => {
    if (!isOnCell(event.target) || !event.clipboardData || hasTextSelection()) return;
    copyOrCut(grid, event);
  };
  const onPaste = (event: ClipboardEvent) => {
    if (!isOnCell(event.target) || !event.clipboardData) return;
    event.preventDefault();
    void pasteRange(grid, event.clipboardData);
  };
  // A character typed on a cell opens its editor, so it must not be a shortcut of the shell as well.
  const onTyped = (event: KeyboardEvent) => {
    const plain = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!plain || !isOnCell(event.target)) return;
    event.stopPropagation();
    if (event.key !== " ") showReadOnlyReason(grid);
  };
  host.addEventListener("keydown", onTyped);
  host.addEventListener("keydown", onKey, true);
  document.addEventListener("copy", onCopy);
  document.addEventListener("cut", onCopy);
  document.addEventListener("paste", onPaste);
  return () => {
    host.removeEventListener("keydown", onTyped);
    host.removeEventListener("keydown", onKey, true);
    document.removeEventListener("copy", onCopy);
    document.removeEventListener("cut", onCopy);
    document.removeEventListener("paste", onPaste);
  };
  function isOnCell(target: EventTarget | null): boolean {
    return (
      target instanceof HTMLElement && host.contains(target) && target.classList.contains("ag-cell")
    );
  }
}

/** The cell of the last read-only notice, which is shown once however much is typed. */
const lastReadOnlyNotice = new WeakMap<GridController, string>();

function showReadOnlyReason(grid: GridController): void {
  const at = focusedCell(grid);
  const record = at && recordInRow(grid, at.row);
  const field = at && grid.fields.get(at.field);
  const reason = record && field ? readOnlyReason(grid.table, field, grid.abilities, record) : null;
  const cell = `${record?.id}\n${at?.field}`;
  if (reason !== null && lastReadOnlyNotice.get(grid) !== cell) toastFailure(reason);
  if (reason !== null) lastReadOnlyNotice.set(grid, cell);
}

function hasTextSelection(): boolean {
  return (getSelection()?.toString() ?? "") !== "";
}
