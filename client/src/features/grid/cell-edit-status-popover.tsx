import { useCallback, useEffect } from "react";
import { EditStatusPopover } from "../../records/fields/edit-status-popover.tsx";
import type { GridController } from "./grid-controller.ts";
import { recordInRow } from "./range/row-map.ts";
import { focusedCell, returnFocus } from "./rows/grid-focus.ts";
import { useRecord } from "./use-record.ts";

/** The cell whose edit status is open. */
export interface OpenEditStatus {
  record: string;
  field: string;
  /** False while its cell keeps the focus. */
  hasFocus: boolean;
}

interface Props {
  grid: GridController;
  open: OpenEditStatus | null;
  onFocus(): void;
  onClose(): void;
}

/** The status of a conflicting or rejected edit, beside its cell. */
export function CellEditStatusPopover({ grid, open, onFocus, onClose }: Props) {
  const view = useRecord(grid, open?.record);
  const field = open && grid.fields.get(open.field);
  const hasFocus = open?.hasFocus === true;
  const close = useCallback(() => {
    onClose();
    if (hasFocus) returnFocus(grid);
  }, [grid, hasFocus, onClose]);
  useFocusInCell(grid, open, onFocus, onClose);
  if (!open || !field) return null;
  return (
    <EditStatusPopover
      key={`${open.record} ${open.field}`}
      element={() => elementOf(grid, open)}
      field={field}
      state={view?.cells[open.field]}
      edits={grid.core.edits}
      hasFocus={hasFocus}
      onFocus={onFocus}
      onClose={close}
    />
  );
}

/** The cell, or the editor that is drawn in its place. */
function elementOf({ cells, editors }: GridController, at: OpenEditStatus) {
  const editor = editors.current();
  const isEdited = editor?.record === at.record && editor.field.name === at.field;
  return cells.find(at.record, at.field)?.element ?? (isEdited ? editor.element : undefined);
}

/** While the cell has the focus, the status beside it goes with the cursor. Alt and the arrow down lead to it, from the editor, too. */
function useFocusInCell(
  grid: GridController,
  open: OpenEditStatus | null,
  onFocus: () => void,
  onClose: () => void,
): void {
  const { record, field, hasFocus } = open ?? { hasFocus: true };
  useEffect(() => {
    if (hasFocus) return;
    const onMoved = () => {
      const at = focusedCell(grid);
      const isSame = at?.field === field && recordInRow(grid, at?.row ?? -1)?.id === record;
      if (!isSame) onClose();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") onClose();
      if (event.key !== "ArrowDown" || !event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      // While an editor is open, the next keys are for it.
      grid.api.stopEditing();
      onFocus();
    };
    const listening = new AbortController();
    document.addEventListener("keydown", onKey, { capture: true, signal: listening.signal });
    grid.api.addEventListener("cellFocused", onMoved);
    return () => {
      listening.abort();
      if (!grid.api.isDestroyed()) grid.api.removeEventListener("cellFocused", onMoved);
    };
  }, [grid, record, field, hasFocus, onFocus, onClose]);
}
