import { useCallback } from "react";
import { EditStatusPopover } from "../../records/fields/edit-status-popover.tsx";
import type { GridController } from "./grid-controller.ts";
import { returnFocus } from "./rows/grid-focus.ts";
import { useRecord } from "./use-record.ts";

/** The cell whose edit status is open. */
export interface OpenEditStatus {
  record: string;
  field: string;
}

interface Props {
  grid: GridController;
  open: OpenEditStatus | null;
  onClose(): void;
}

/** The status of a conflicting or rejected edit, beside its cell. */
export function CellEditStatusPopover({ grid, open, onClose }: Props) {
  const view = useRecord(grid, open?.record);
  const field = open && grid.fields.get(open.field);
  const close = useCallback(() => {
    onClose();
    returnFocus(grid);
  }, [grid, onClose]);
  if (!open || !field) return null;
  return (
    <EditStatusPopover
      key={`${open.record} ${open.field}`}
      element={grid.cells.find(open.record, open.field)?.element ?? grid.host}
      field={field}
      state={view?.cells[open.field]}
      edits={grid.core.edits}
      onClose={close}
    />
  );
}
