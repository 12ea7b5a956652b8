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
  /** Where the focus is: in it, in its cell, or elsewhere, because it has come by itself. */
  focus: "status" | "cell" | "elsewhere";
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
  const hasFocus = open?.focus === "status";
  const close = useCallback(() => {
    onClose();
    if (hasFocus) returnFocus(grid);
  }, [grid, hasFocus, onClose]);
  useFocusInCell(grid, open, onFocus, onClose);
  useGoWithCell(grid, open, onClose);
  if (!open || !field) return null;
  return (
    <EditStatusPopover
      key={`${open.record} ${open.field}`}
      element={() => elementOf(grid, open)}
      field={field}
      state={view?.cells[open.field]}
      edits={grid.core.edits}
      focus={open.focus}
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
  const { record, field, focus } = open ?? {};
  useEffect(() => {
    if (focus !== "cell") return;
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
  }, [grid, record, field, focus, onFocus, onClose]);
}

/**
 * One that has come by itself stays while its author works elsewhere in the rows, until its cell is scrolled away. Escape closes it where no
 * editor is open, which the key would be for.
 */
function useGoWithCell(
  grid: GridController,
  open: OpenEditStatus | null,
  onClose: () => void,
): void {
  const { record, field, focus } = open ?? {};
  useEffect(() => {
    if (focus !== "elsewhere" || record === undefined || field === undefined) return;
    const onScrolled = () => {
      if (!grid.cells.find(record, field)) onClose();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !grid.editors.isOpen) onClose();
    };
    document.addEventListener("keydown", onKey, { capture: true });
    grid.api.addEventListener("bodyScrollEnd", onScrolled);
    return () => {
      document.removeEventListener("keydown", onKey, { capture: true });
      if (!grid.api.isDestroyed()) grid.api.removeEventListener("bodyScrollEnd", onScrolled);
    };
  }, [grid, record, field, focus, onClose]);
}
