import type { KeyboardEvent } from "react";
import { runUndoStep } from "../../records/undo.ts";
import { pageCore } from "../../sync/page/page-core.ts";

/** Marks an input whose own undo has nothing to do unless it says so by stopping the key. */
export const UNDOES_EDITS = "data-undoes-edits";

/** Whether a key undoes or redoes an edit. */
export function isUndoKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return /^[zy]$/i.test(key) && (ctrlKey || metaKey) && !altKey;
}

/** Ctrl+Z and Ctrl+Shift+Z, as in the table; a text that is being typed has its own undo. */
export function onUndoKey(event: KeyboardEvent, table: string): void {
  if (!isUndoKey(event) || event.defaultPrevented) return;
  const target = event.target as Element;
  if (target.matches("input, textarea") && !target.closest(`[${UNDOES_EDITS}]`)) return;
  event.preventDefault();
  const direction = event.key.toLowerCase() === "y" || event.shiftKey ? "redo" : "undo";
  void runUndoStep(pageCore().undo, direction, { table });
}
