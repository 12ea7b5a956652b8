import type { Column } from "ag-grid-community";
import { useEffect, useState } from "react";
import type { GridController } from "../grid-controller.ts";

/** Where a column is, in pixels from the start of its part of the grid. */
export interface ColumnBox {
  field: string;
  left: number;
  width: number;
}

interface ColumnBoxes {
  pinned: readonly ColumnBox[];
  center: readonly ColumnBox[];
  pinnedWidth: number;
  /** How far the columns that are not pinned are scrolled. */
  scrolled: number;
}

/** The places of the grid's columns, as they are scrolled, moved and sized. */
export function useColumnBoxes(grid: GridController): ColumnBoxes {
  const [boxes, setBoxes] = useState<ColumnBoxes>(() => readBoxes(grid));
  useEffect(() => {
    const { api } = grid;
    const read = () => setBoxes(readBoxes(grid));
    const scroll = ({ direction }: { direction: string }) => direction === "horizontal" && read();
    read();
    api.addEventListener("displayedColumnsChanged", read);
    api.addEventListener("columnResized", read);
    api.addEventListener("bodyScroll", scroll);
    return () => {
      if (api.isDestroyed()) return;
      api.removeEventListener("displayedColumnsChanged", read);
      api.removeEventListener("columnResized", read);
      api.removeEventListener("bodyScroll", scroll);
    };
  }, [grid]);
  return boxes;
}

function readBoxes({ api, fields }: GridController): ColumnBoxes {
  const left = api.getDisplayedLeftColumns();
  const box = (column: Column): ColumnBox[] => {
    const field = column.getColId();
    if (!fields.has(field)) return [];
    return [{ field, left: column.getLeft() ?? 0, width: column.getActualWidth() }];
  };
  return {
    pinned: left.flatMap(box),
    center: api.getDisplayedCenterColumns().flatMap(box),
    pinnedWidth: left.reduce((sum, column) => sum + column.getActualWidth(), 0),
    scrolled: api.getHorizontalPixelRange().left,
  };
}
