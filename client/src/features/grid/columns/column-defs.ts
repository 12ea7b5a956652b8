import type { ColDef } from "ag-grid-community";
import type { Field } from "../../../../../shared/model/model.ts";
import { isLong } from "../../../records/fields/field-input.tsx";
import type { PlacedColumn } from "../../../records/views/column-layout.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { CellView } from "../cells/cell-view.ts";
import { GutterView } from "../cells/gutter-view.ts";
import { HostedEditor } from "../edit/hosted-editor.ts";
import { lockedCellReason } from "../edit/locked-cell.ts";
import type { GridController } from "../grid-controller.ts";
import { CornerView } from "./corner-view.ts";
import { HeaderView } from "./header-view.ts";

/** The narrow column before the records. It is not a field and can't be moved. */
export const GUTTER = "wf-gutter";
/** A tap in its middle selects the row, one on the button at its end opens the record. */
const GUTTER_WIDTH_PX = 52;
const GUTTER_NARROW_PX = 40;
const MIN_WIDTH_PX = 64;

/** The grid's columns for a table, in the user's own order. */
export function columnDefs(
  grid: GridController,
  placed: readonly PlacedColumn[],
): ColDef<RecordView>[] {
  const columns = placed.flatMap((column) => {
    const field = grid.fields.get(column.field);
    return field ? [columnDef(grid, field, column)] : [];
  });
  return [gutter(grid), ...columns];
}

function gutter(grid: GridController): ColDef<RecordView> {
  return {
    colId: GUTTER,
    headerName: "",
    headerComponent: CornerView,
    headerComponentParams: { grid },
    pinned: "left",
    lockPosition: "left",
    lockPinned: true,
    width: isNarrow() ? GUTTER_NARROW_PX : GUTTER_WIDTH_PX,
    resizable: false,
    sortable: false,
    suppressNavigable: true,
    cellRenderer: GutterView,
    cellRendererParams: { grid },
    equals: () => false,
    valueGetter: ({ data }) => data?.id,
  };
}

function columnDef(grid: GridController, field: Field, placed: PlacedColumn): ColDef<RecordView> {
  return {
    colId: field.name,
    headerName: field.label,
    headerComponent: HeaderView,
    headerComponentParams: { grid, field },
    hide: placed.hidden,
    pinned: placed.pinned && !isNarrow() ? "left" : null,
    width: Math.round(placed.width * grid.columnScale),
    minWidth: MIN_WIDTH_PX,
    resizable: true,
    // The header sorts through the view; the grid's own sorting would empty its cache first.
    sortable: false,
    valueGetter: ({ data }) => data?.values[field.name],
    // State and presence change without the value, so every update repaints; the cell finds what differs.
    equals: () => false,
    editable: ({ data }) => isEditable(grid, field, data),
    cellEditor: HostedEditor,
    cellEditorPopup: isLong(field.type),
    cellEditorParams: { grid, field },
    cellRenderer: CellView,
    cellRendererParams: { grid, field },
  };
}

/** On a small screen only the gutter is pinned, to leave space for scrolling. */
export function isNarrow(): boolean {
  return matchMedia("(max-width: 640px)").matches;
}

/** Whether the cell has an editor. That of a locked cell takes text only. */
function isEditable(grid: GridController, field: Field, data: RecordView | undefined): boolean {
  if (!data) return false;
  const isTyping = grid.editors.lockedReason(data.id, field.name) !== null;
  return isTyping || lockedCellReason(grid, field, data) === null;
}
