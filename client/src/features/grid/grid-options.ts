import type { GridApi, GridOptions } from "ag-grid-community";
import { governedBy } from "../../../../shared/model/state-of.ts";
import type { Density } from "../../state/preferences.ts";
import type { RecordView } from "../../state/record-view.ts";
import { gridTheme, HEADER_HEIGHT_PX, ROW_HEIGHT_PX } from "./ag-grid.ts";
import { columnDefs, GUTTER, isNarrow } from "./columns/column-defs.ts";
import type { PlacedColumn } from "./columns/column-layout.ts";
import type { Desk } from "./desk.ts";
import { feedGrid } from "./feed/feed-grid.ts";
import { BLOCK_ROWS, BLOCKS_KEPT, rowSource } from "./feed/row-source.ts";
import { settleRows } from "./feed/settle-rows.ts";
import { moveFrom } from "./keys/key-commands.ts";
import { listenKeys } from "./keys/listen-keys.ts";
import { followFocus, pointerRange } from "./keys/pointer-range.ts";
import { reportPlace } from "./presence/report-place.ts";

const SELECTION_WIDTH_PX = 38;

export interface GridHooks {
  onSelection(count: number): void;
  /** The person moved, sized, hid or pinned columns. */
  onColumns(api: GridApi<RecordView>): void;
  onFailure(error: unknown): void;
}

/** Connects the desk to its grid, which is ready; the answer disconnects it before the grid goes. */
export function connectGrid(desk: Desk, api: GridApi<RecordView>): () => void {
  desk.api = api;
  takeColumns(desk);
  const stops = [
    feedGrid(desk),
    listenKeys(desk),
    desk.keys.connect(desk),
    pointerRange(desk),
    reportPlace(desk),
    settleRows(desk),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** The columns shown, from left to right, as ranges and pasting count them. */
function takeColumns(desk: Desk): void {
  const shown = desk.api.getAllDisplayedColumns().map((column) => column.getColId());
  desk.columns = shown.filter((name) => desk.fields.has(name));
}

/** Arranges the columns anew, whatever was done to them in the grid. What is no field stays first. */
export function arrangeColumns(desk: Desk, placed: readonly PlacedColumn[]): void {
  const { api } = desk;
  const others = api.getColumnState().filter(({ colId }) => !desk.fields.has(colId));
  const fields = columnDefs(desk, placed)
    .filter(({ colId = "" }) => desk.fields.has(colId))
    .map(({ colId = "", hide = false, pinned, width }) => ({
      colId,
      hide,
      pinned: pinned ?? null,
      ...(width !== undefined && { width }),
    }));
  api.applyColumnState({ state: [...others, ...fields], applyOrder: true });
}

/** What the grid is told once; what changes later is told to its api. */
export function gridOptions(
  desk: Desk,
  placed: readonly PlacedColumn[],
  density: Density,
  hooks: GridHooks,
): GridOptions<RecordView> {
  const columnsChanged = () => {
    takeColumns(desk);
    hooks.onColumns(desk.api);
  };
  return {
    theme: gridTheme,
    rowHeight: ROW_HEIGHT_PX[density],
    headerHeight: HEADER_HEIGHT_PX[density],
    rowModelType: "infinite",
    cacheBlockSize: BLOCK_ROWS,
    maxBlocksInCache: BLOCKS_KEPT,
    infiniteInitialRowCount: 1,
    datasource: rowSource(desk.window, hooks.onFailure),
    getRowId: ({ data }) => desk.window.rowId(data.id),
    columnDefs: columnDefs(desk, placed),
    rowSelection: {
      mode: "multiRow",
      checkboxes: !isNarrow(),
      headerCheckbox: false,
      enableClickSelection: false,
    },
    selectionColumnDef: {
      pinned: "left",
      lockPosition: "left",
      width: SELECTION_WIDTH_PX,
      resizable: false,
      suppressNavigable: true,
    },
    rowClassRules: {
      "wf-row-marked": ({ data }) => Boolean(data?.mark),
      "wf-row-deleted": ({ data }) => data?.mark === "deleted" || data?.pending === "delete",
      "wf-row-problem": ({ data }) => Boolean(data?.problem),
    },
    defaultColDef: {
      suppressKeyboardEvent: ({ event, editing }) => editing && endByTab(desk, event),
    },
    enterNavigatesVerticallyAfterEdit: true,
    stopEditingWhenCellsLoseFocus: true,
    suppressDragLeaveHidesColumns: true,
    suppressNoRowsOverlay: true,
    animateRows: false,
    ensureDomOrder: true,
    readOnlyEdit: true,
    onCellFocused: () => followFocus(desk),
    onSelectionChanged: ({ api }) => hooks.onSelection(api.getSelectedNodes().length),
    onColumnMoved: ({ finished }) => finished && columnsChanged(),
    onColumnResized: ({ finished, source }) => finished && source !== "api" && columnsChanged(),
    onColumnVisible: columnsChanged,
    onColumnPinned: columnsChanged,
    onViewportChanged: ({ firstRow, lastRow }) => desk.window.setVisible(firstRow, lastRow + 1),
    onCellDoubleClicked: ({ data, column }) => {
      const kind = data?.cells[column.getColId()]?.kind;
      if (data && kind === "conflict") desk.actions.tellStory(data.id, column.getColId());
      else if (data && column.getColId() === governedBy(desk.table)?.stateField) {
        desk.actions.showMoves(data.id);
      }
    },
    onCellClicked: ({ data, column, event }) => {
      const onSign = event?.target instanceof Element && event.target.closest(".wf-sign") !== null;
      if (data && onSign && column.getColId() !== GUTTER) {
        desk.actions.tellStory(data.id, column.getColId());
      }
    },
  };
}

/** Tab confirms and moves one cell on without opening it, as in a spreadsheet. */
function endByTab(desk: Desk, event: KeyboardEvent): boolean {
  if (event.key !== "Tab") return false;
  event.preventDefault();
  desk.api.stopEditing();
  moveFrom(desk, event);
  return true;
}
