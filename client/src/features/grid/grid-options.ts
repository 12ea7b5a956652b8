import type { GridApi, GridOptions, IRowNode } from "ag-grid-community";
import { governedBy } from "../../../../shared/model/state-of.ts";
import { gridMessages as messages } from "../../messages/en/grid.ts";
import type { PlacedColumn } from "../../records/views/column-layout.ts";
import type { RecordView } from "../../state/record-view.ts";
import { gridTheme, heightPx } from "./ag-grid.ts";
import { cardOptions } from "./cards/card-options.ts";
import { cardOfView } from "./cards/card-view.ts";
import { longPress } from "./cards/long-press.ts";
import { columnDefs, GUTTER, isNarrow } from "./columns/column-defs.ts";
import { fillWidth, followWidth, sharedWidths } from "./columns/fill-width.ts";
import { showReadOnly } from "./edit/locked-cell.ts";
import type { GridController } from "./grid-controller.ts";
import { extraRowKeys } from "./groups/extra-row-keys.ts";
import { ExtraRowView } from "./groups/extra-row-view.ts";
import { listenKeys } from "./keys/listen-keys.ts";
import { followFocus, pointerRange } from "./keys/pointer-range.ts";
import { keepOneSelection } from "./keys/select-lines.ts";
import { endByEnter, endByEscape, endByTab } from "./keys/tab-and-enter.ts";
import { touchRange } from "./keys/touch-range.ts";
import { openLinked } from "./links/linked-place.ts";
import { reportPresence } from "./presence/report-presence.ts";
import { readSelected } from "./range/read-selected.ts";
import { rowCount } from "./range/row-map.ts";
import { focusCell, focusedCell } from "./rows/grid-focus.ts";
import { holdRows, realignRows } from "./rows/realign-rows.ts";
import { BLOCK_ROWS, MAX_CACHED_BLOCKS, rowSource } from "./rows/row-source.ts";
import { subscribeGrid } from "./rows/subscribe-grid.ts";

const SELECTION_WIDTH_PX = 30;

export interface GridHooks {
  onSelection(count: number): void;
  /** The user moved, sized, hid or pinned columns. */
  onColumns(grid: GridController): void;
  onFailure(error: unknown): void;
}

/** Connects the controller to the mounted grid. Returns a function that disconnects it. */
export function connectGrid(grid: GridController, api: GridApi<RecordView>): () => void {
  grid.api = api;
  grid.unread.start();
  readDisplayedColumns(grid);
  const stops = [
    subscribeGrid(grid),
    reportPresence(grid),
    ...(grid.cards ? connectCards(grid) : connectCells(grid)),
    extraRowKeys(grid),
    () => grid.unread.stop(),
    () => grid.range.clear(),
    grid.find.connect(grid),
    () => grid.colours.stop(),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function connectCards(grid: GridController): (() => void)[] {
  grid.keys.leave();
  const paint = () => {
    for (const card of grid.cells.all()) card.paintState();
  };
  return [longPress(grid), grid.unread.onChange(paint)];
}

/** Keys, ranges and the cursor, which cards don't have. */
function connectCells(grid: GridController): (() => void)[] {
  return [
    followWidth(grid),
    listenKeys(grid),
    grid.keys.connect(grid),
    pointerRange(grid),
    touchRange(grid),
    realignRows(grid),
    holdRows(grid),
    readSelected(grid),
    keepOneSelection(grid),
  ];
}

/** The columns shown, from left to right, as ranges and pasting count them. */
function readDisplayedColumns(grid: GridController): void {
  const shown = grid.api.getAllDisplayedColumns().map((column) => column.getColId());
  grid.columns = shown.filter((name) => grid.fields.has(name));
}

/** Applies an arrangement of columns to the grid. Columns that are not fields stay first. */
export function arrangeColumns(grid: GridController, placed: readonly PlacedColumn[]): void {
  const { api } = grid;
  if (grid.cards) {
    grid.cards = cardOfView(grid.table, placed);
    for (const card of grid.cells.all()) card.paintContent(true);
    return;
  }
  const others = api.getColumnState().filter(({ colId }) => !grid.fields.has(colId));
  const fields = columnDefs(grid, placed)
    .filter(({ colId = "" }) => grid.fields.has(colId))
    .map(({ colId = "", hide = false, pinned, width }) => ({
      colId,
      hide,
      pinned: pinned ?? null,
      ...(width !== undefined && { width }),
    }));
  api.applyColumnState({ state: [...others, ...fields], applyOrder: true });
  grid.sharedWidths = sharedWidths(grid, placed);
  fillWidth(grid);
}

const nothing = () => "";

/** The texts of AG Grid itself, by its own keys. It says how a row is selected at each change of the row and in each cell: once, at its checkbox, is enough. */
const agGridTexts = {
  ariaRowToggleSelection: messages.ariaRowToggleSelection,
  ariaRowSelect: nothing,
  ariaRowDeselect: nothing,
  ariaRowSelectionDisabled: messages.ariaRowSelectionDisabled,
  ariaChecked: messages.ariaChecked,
  ariaUnchecked: messages.ariaUnchecked,
};

/** The grid's initial options. Later changes go through its API. */
export function gridOptions(
  grid: GridController,
  placed: readonly PlacedColumn[],
  hooks: GridHooks,
): GridOptions<RecordView> {
  const columnsChanged = () => {
    readDisplayedColumns(grid);
    grid.keys.columnsChanged();
    fillWidth(grid);
    grid.range.refresh();
    for (const cell of grid.cells.all()) cell.paintPresence();
    hooks.onColumns(grid);
  };
  return {
    theme: gridTheme,
    getLocaleText: ({ key, defaultValue }) =>
      key in agGridTexts ? agGridTexts[key as keyof typeof agGridTexts]() : defaultValue,
    rowHeight: heightPx("row"),
    headerHeight: heightPx("header"),
    rowModelType: "infinite",
    cacheBlockSize: BLOCK_ROWS,
    maxBlocksInCache: MAX_CACHED_BLOCKS,
    infiniteInitialRowCount: 1,
    datasource: rowSource(grid, hooks.onFailure),
    getRowId: ({ data }) => grid.rowList.rowId(data.id),
    columnDefs: columnDefs(grid, placed),
    rowSelection: {
      mode: "multiRow",
      checkboxes: !isNarrow(),
      headerCheckbox: false,
      enableClickSelection: false,
      isRowSelectable: ({ data }) => data !== undefined,
    },
    selectionColumnDef: {
      pinned: "left",
      lockPosition: "left",
      width: SELECTION_WIDTH_PX,
      minWidth: SELECTION_WIDTH_PX,
      resizable: false,
      suppressNavigable: true,
    },
    isFullWidthRow: ({ rowNode }) => isExtraRow(grid, rowNode),
    fullWidthCellRenderer: ExtraRowView,
    fullWidthCellRendererParams: { grid },
    rowClassRules: {
      "wf-row-marked": ({ data }) => Boolean(data?.mark),
      "wf-row-deleted": ({ data }) => data?.mark === "deleted" || data?.pending === "delete",
      "wf-row-problem": ({ data }) => Boolean(data?.problem),
    },
    defaultColDef: {
      suppressKeyboardEvent: ({ event, editing }) =>
        editing && (endByTab(grid, event) || endByEnter(grid, event) || endByEscape(grid, event)),
    },
    focusGridInnerElement: () => !grid.cards && enterGrid(grid),
    enterNavigatesVerticallyAfterEdit: true,
    stopEditingWhenCellsLoseFocus: true,
    suppressDragLeaveHidesColumns: true,
    // Beside an open record there may be little space: what is pinned stays so, as it is stored.
    processUnpinnedColumns: () => [],
    suppressNoRowsOverlay: true,
    animateRows: false,
    ensureDomOrder: true,
    readOnlyEdit: true,
    onCellFocused: () => followFocus(grid),
    onSelectionChanged: ({ api }) => hooks.onSelection(api.getSelectedNodes().length),
    onColumnMoved: ({ finished }) => finished && columnsChanged(),
    onColumnResized: ({ finished, source, columns }) => {
      if (!finished || source === "api") return;
      for (const column of columns ?? []) grid.sharedWidths.delete(column.getColId());
      columnsChanged();
    },
    onColumnVisible: columnsChanged,
    onColumnPinned: columnsChanged,
    onViewportChanged: ({ firstRow, lastRow }) =>
      grid.rowList.setVisible(
        grid.groups.rowAtIndex(firstRow),
        grid.groups.rowAtIndex(lastRow) + 1,
      ),
    onCellDoubleClicked: ({ data, column }) => {
      const kind = data?.cells[column.getColId()]?.kind;
      if (data && kind === "conflict")
        grid.actions.showEditStatus(data.id, column.getColId(), true);
      else if (data && column.getColId() === governedBy(grid.table)?.stateField) {
        grid.actions.showTransitions(data.id);
      } else if (data) showReadOnly(grid);
    },
    onCellClicked: ({ data, column, event }) => {
      const isOn = (part: string) =>
        event?.target instanceof Element && event.target.closest(part) !== null;
      if (!data || column.getColId() === GUTTER) return;
      if (isOn(".wf-sign")) grid.actions.showEditStatus(data.id, column.getColId(), true);
      else if (isOn(".wf-link-open")) openLinked(grid, data, column.getColId());
    },
    ...(grid.cards && cardOptions(grid)),
  };
}

function isExtraRow({ groups }: GridController, { rowIndex, rowPinned }: IRowNode): boolean {
  return rowIndex !== null && !rowPinned && groups.at(rowIndex) !== undefined;
}

/** Tab from outside goes to the cell that had the focus, or to the first one; ArrowUp leads to the headers. */
function enterGrid(grid: GridController): boolean {
  const at = focusedCell(grid) ?? { row: 0, field: grid.columns[0] };
  if (at.field === undefined || rowCount(grid) === 0) return false;
  focusCell(grid, at.row, at.field);
  return true;
}
