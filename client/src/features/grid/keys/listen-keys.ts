import { announce } from "../../../ui/announce.ts";
import { whyReadOnly } from "../../../ui/fields/why-read-only.ts";
import { toastFailure } from "../../../ui/toast.tsx";
import { copyRange, EXACT_VALUES } from "../actions/copy-range.ts";
import { pasteRange } from "../actions/paste-range.ts";
import { clearRange } from "../actions/range-actions.ts";
import type { Desk } from "../desk.ts";
import { focusedCell } from "../feed/keep-place.ts";
import { recordInRow } from "../range/row-map.ts";
import { runKey } from "./key-commands.ts";

/**
 * The grid's own keys and clipboard, heard before AG Grid hears them. While a cell is edited all of
 * it belongs to the editor.
 */
export function listenKeys(desk: Desk): () => void {
  const { host } = desk;
  const onKey = (event: KeyboardEvent) => {
    if (!isOnCell(event.target) || !runKey(desk, event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onCopy = (event: ClipboardEvent) => {
    if (!isOnCell(event.target) || !event.clipboardData || hasTextSelection()) return;
    const count = copyRange(desk, event.clipboardData);
    event.preventDefault();
    announce(count === 1 ? "Copied." : `${count} cells copied.`);
    if (event.type === "cut") void clearRange(desk);
  };
  const onPaste = (event: ClipboardEvent) => {
    if (!isOnCell(event.target) || !event.clipboardData) return;
    event.preventDefault();
    const data = event.clipboardData;
    void pasteRange(desk, data.getData("text/plain"), data.getData(EXACT_VALUES));
  };
  // What is typed on a cell opens its editor: it is no shortcut of the shell at the same time.
  const onTyped = (event: KeyboardEvent) => {
    const plain = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!plain || !isOnCell(event.target)) return;
    event.stopPropagation();
    if (event.key !== " ") sayWhyReadOnly(desk);
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

/** The cell that was last said to be read-only: once is enough, however much is typed on it. */
const said = new WeakMap<Desk, string>();

function sayWhyReadOnly(desk: Desk): void {
  const at = focusedCell(desk);
  const record = at && recordInRow(desk, at.row);
  const field = at && desk.fields.get(at.field);
  const why = record && field ? whyReadOnly(desk.table, field, desk.abilities, record) : null;
  const cell = `${record?.id}\n${at?.field}`;
  if (why !== null && said.get(desk) !== cell) toastFailure(why);
  if (why !== null) said.set(desk, cell);
}

function hasTextSelection(): boolean {
  return (getSelection()?.toString() ?? "") !== "";
}
