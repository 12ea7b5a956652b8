import type { GridOptions, IRowNode } from "ag-grid-community";
import type { RecordView } from "../../../state/record-view.ts";
import { heightPx } from "../ag-grid.ts";
import { CARD } from "../cells/live-cells.ts";
import type { GridController } from "../grid-controller.ts";
import { clearRowHeight } from "../look/row-height.ts";
import { CardView } from "./card-view.ts";

/** Set on the grid's element while taps select cards instead of opening them. */
export const SELECTING = "data-selecting";

/**
 * Shows the rows as cards, one column without a header. Rows, selection and scrolling stay those of the grid; cards are
 * edited in the panel of their record.
 */
export function cardOptions(grid: GridController): GridOptions<RecordView> {
  const open = (node: IRowNode<RecordView>) => {
    if (!node.data) return;
    // New records above the list are not part of a selection.
    if (grid.host.hasAttribute(SELECTING) && !node.rowPinned) node.setSelected(!node.isSelected());
    else grid.actions.openRecord(node.data.id);
  };
  clearRowHeight(grid);
  return {
    rowHeight: heightPx("row", grid.host),
    headerHeight: heightPx("header", grid.host),
    columnDefs: [
      {
        colId: CARD,
        flex: 1,
        resizable: false,
        sortable: false,
        suppressMovable: true,
        cellRenderer: CardView,
        cellRendererParams: { grid },
        equals: () => false,
        valueGetter: ({ data }) => data?.id,
      },
    ],
    rowSelection: {
      mode: "multiRow",
      checkboxes: false,
      headerCheckbox: false,
      enableClickSelection: false,
    },
    onCellClicked: ({ node }) => open(node),
    onCellKeyDown: ({ node, event }) => {
      if (event instanceof KeyboardEvent && event.key === "Enter") open(node);
    },
    onCellDoubleClicked: () => {},
  };
}
