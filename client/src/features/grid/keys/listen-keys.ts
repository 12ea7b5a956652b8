import { COMPOSING_KEY, isComposing } from "../../../records/fields/composing-keys.ts";
import { isSaveKey } from "../../../records/fields/save-key.ts";
import { copyOrCut } from "../actions/copy-range.ts";
import { pasteRange } from "../actions/paste-range.ts";
import { fillWith } from "../actions/range-actions.ts";
import { typeIntoLocked } from "../edit/locked-cell.ts";
import type { GridController } from "../grid-controller.ts";
import type { RangePart } from "../range/range-part.ts";
import { runKey } from "./key-commands.ts";
import { followFocus } from "./pointer-range.ts";

/**
 * Handles the grid's own keys and clipboard before AG Grid does. While a cell is edited, all events go to the editor.
 */
export function listenKeys(grid: GridController): () => void {
  const { host } = grid;
  const onFill = (event: KeyboardEvent) => {
    if (!isSaveKey(event) || !fillFromEditor(grid, event.target)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onMoved = (event: KeyboardEvent | PointerEvent) => {
    const isTyped = event instanceof KeyboardEvent && /^(.|Shift|Enter|Process)$/u.test(event.key);
    if (!isTyped || !isOnCell(event.target)) grid.editors.ended = null;
  };
  const onKey = (event: KeyboardEvent) => {
    if (!isOnRange(event.target) || !runKey(grid, event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onCopy = (event: ClipboardEvent) => {
    if (!isOnRange(event.target) || !event.clipboardData || hasTextSelection()) return;
    copyOrCut(grid, event);
  };
  const onPaste = (event: ClipboardEvent) => {
    if (!isOnRange(event.target) || !event.clipboardData) return;
    event.preventDefault();
    void pasteRange(grid, event.clipboardData);
  };
  // A character typed on a cell opens its editor, so it must not be a shortcut of the shell as well.
  const onTyped = (event: KeyboardEvent) => {
    const plain = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (isComposing(event) && isOnCell(event.target)) editByInputMethod(grid);
    if (!plain || !isOnCell(event.target)) return;
    event.stopPropagation();
    if (event.key !== " " && typeIntoLocked(grid, event.key)) event.preventDefault();
  };
  const onPageKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || isTextOrDialog(event.target)) return;
    if (runKey(grid, event, "page")) event.preventDefault();
  };
  const listening = new AbortController();
  const { signal } = listening;
  document.addEventListener("keydown", onFill, { capture: true, signal });
  host.addEventListener("keydown", onMoved, { capture: true, signal });
  host.addEventListener("pointerdown", onMoved, { capture: true, signal });
  host.addEventListener("keydown", onTyped, { signal });
  host.addEventListener("keydown", onKey, { capture: true, signal });
  document.addEventListener("keydown", onPageKey, { signal });
  document.addEventListener("copy", onCopy, { signal });
  document.addEventListener("cut", onCopy, { signal });
  document.addEventListener("paste", onPaste, { signal });
  return () => listening.abort();
  /**
   * A cell that is being drawn anew has lost the browser's focus, and is still the one that is meant. AG Grid reports a new focus in a later task:
   * until then the range would be that of the cell before.
   */
  function isOnRange(target: EventTarget | null): boolean {
    const isLost = target === document.body && grid.keys.isInGrid && !grid.editors.isOpen;
    if (!isLost && !isOnCell(target)) return false;
    followFocus(grid);
    return true;
  }
  function isOnCell(target: EventTarget | null): boolean {
    return (
      target instanceof HTMLElement && host.contains(target) && target.classList.contains("ag-cell")
    );
  }
}

/** Ctrl and Enter in an editor writes its value into all selected cells. */
function fillFromEditor(grid: GridController, target: EventTarget | null): boolean {
  const open = grid.editors.current();
  const isInEditor = target instanceof Node && open?.element.contains(target) === true;
  if (!open || !isInEditor || !grid.range.isShown) return false;
  const { parts } = grid.range;
  const { record, field, edit } = open;
  const cell = { record, field, base: edit.base };
  const filling = open.endWith((value) => void fillWith(grid, cell, value, parts));
  if (!filling) return false;
  void holdUntil(grid, parts, filling);
  return true;
}

/** The cells that are selected now are filled, also if it is known only later with what. */
async function holdUntil(
  { range }: GridController,
  parts: readonly RangePart[],
  filling: Promise<unknown>,
): Promise<void> {
  for (const part of parts) part.hold();
  await filling;
  for (const part of parts) range.release(part);
}

/** Opens the editor at once, so that the input method composes in it and replaces the value. */
function editByInputMethod(grid: GridController): void {
  const { api } = grid;
  const at = api.getFocusedCell();
  if (!at || typeIntoLocked(grid, COMPOSING_KEY)) return;
  api.startEditingCell({
    rowIndex: at.rowIndex,
    rowPinned: at.rowPinned ?? null,
    colKey: at.column,
    key: COMPOSING_KEY,
  });
}

/** Whether a text is typed there, which has an undo of its own, or what lies over the rows has the keys. */
function isTextOrDialog(target: EventTarget | null): boolean {
  const others =
    "input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog], [role=menu], [role=complementary], aside";
  return !(target instanceof Element) || target.closest(others) !== null;
}

function hasTextSelection(): boolean {
  return (getSelection()?.toString() ?? "") !== "";
}
