import type { Column } from "ag-grid-community";
import { defaultWidth, type PlacedColumn } from "../../../records/views/column-layout.ts";
import { TABLE_PLACE } from "../../../records/views/view-and-panel.tsx";
import type { GridController } from "../grid-controller.ts";

/** The columns that nobody sized, and their smallest widths as drawn. */
export function sharedWidths(
  { fields, columnScale }: Pick<GridController, "fields" | "columnScale">,
  placed: readonly PlacedColumn[],
): Map<string, number> {
  return new Map(
    placed.flatMap(({ field: name, width }) => {
      const field = fields.get(name);
      const isDefault = field !== undefined && defaultWidth(field) === width;
      return isDefault ? [[name, Math.round(width * columnScale)]] : [];
    }),
  );
}

/** Fills the grid's width, again whenever it changes and after each edit. Returns a function that ends this. */
export function followWidth(grid: GridController): () => void {
  const fill = () => fillWidth(grid);
  const viewport = grid.host.querySelector(".ag-grid-viewport");
  const observer = new ResizeObserver(fill);
  if (viewport) observer.observe(viewport);
  const stop = grid.editors.subscribe(fill);
  return () => {
    observer.disconnect();
    stop();
  };
}

/**
 * Shares the width that is left over among the columns that nobody sized, in proportion. Pinned columns take none of it, and the place of
 * an open record counts as free, so that no column moves when it opens or closes. Nothing changes while a cell is edited, so that its editor stays where it is.
 */
export function fillWidth({ api, editors, sharedWidths, host }: GridController): void {
  if (editors.isOpen || api.isDestroyed()) return;
  const { left, right } = api.getHorizontalPixelRange();
  const shares = (column: Column) => sharedWidths.has(column.getColId());
  const smallest = (column: Column) => sharedWidths.get(column.getColId()) ?? 0;
  const center = api.getDisplayedCenterColumns();
  const sharing = center.filter(shares);
  const taken = sum(center.filter((column) => !shares(column)).map((one) => one.getActualWidth()));
  // What is beside the columns in the table's own place is taken.
  const panelWidth = outerWidth(host) - (host.parentElement ?? host).clientWidth;
  const factor = Math.max(1, (right - left + panelWidth - taken) / sum(sharing.map(smallest)));
  const edge = (count: number) => Math.round(sum(sharing.slice(0, count).map(smallest)) * factor);
  const widths = [
    ...sharing.map((key, index) => ({ key, newWidth: edge(index + 1) - edge(index) })),
    ...api
      .getDisplayedLeftColumns()
      .filter(shares)
      .map((key) => ({ key, newWidth: smallest(key) })),
  ];
  if (widths.some(({ key, newWidth }) => key.getActualWidth() !== newWidth))
    api.setColumnWidths(widths, true, "api");
}

/** The width of the place in which the table and an open record are. */
function outerWidth(host: HTMLElement): number {
  return host.closest<HTMLElement>(`[${TABLE_PLACE}]`)?.clientWidth ?? host.clientWidth;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
