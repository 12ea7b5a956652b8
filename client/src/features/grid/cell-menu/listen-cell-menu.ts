import type { GridController } from "../grid-controller.ts";
import { rowOfHandle, selectRow } from "../keys/select-lines.ts";
import { rowOfRecord } from "../range/row-map.ts";
import { focusCell, focusedCell } from "../rows/grid-focus.ts";

/** The cell whose menu is open, and where on the screen. */
export interface OpenCellMenu {
  record: string;
  field: string;
  at: { left: number; top: number };
}

/**
 * Opens the menu of a cell by the right mouse button, a long touch, Shift F10 or the menu key. A cell outside the range is
 * selected first, so that the menu acts on what is marked.
 */
export function listenCellMenu(
  grid: GridController,
  onOpen: (menu: OpenCellMenu) => void,
): () => void {
  const { host } = grid;
  const openAt = (target: EventTarget | null, at: OpenCellMenu["at"] | null): boolean => {
    const element = target instanceof Element ? target.closest(".ag-cell") : null;
    const shown = element && grid.cells.showing(element);
    if (!shown || shown.record === null || grid.editors.isOpen) return false;
    const { record, field } = shown;
    const row = rowOfRecord(grid, record);
    const cell = { row, column: grid.columns.indexOf(field) };
    // At once, so that the menu never names or deletes what was selected before.
    if (grid.range.has(record, field)) grid.range.holdFocus(cell);
    else grid.range.selectCell(cell);
    focusCell(grid, row, field);
    const { left, bottom } = shown.element.getBoundingClientRect();
    onOpen({ record, field, at: at ?? { left, top: bottom } });
    return true;
  };
  const openRow = (event: MouseEvent): boolean => {
    const row = rowOfHandle(grid, event.target);
    if (row === null) return false;
    selectRow(grid, row, { extend: false, add: false });
    return openAt(document.activeElement, { left: event.clientX, top: event.clientY });
  };
  const onContextMenu = (event: MouseEvent) => {
    const at = { left: event.clientX, top: event.clientY };
    if (openAt(event.target, at) || openRow(event)) event.preventDefault();
  };
  const onKey = (event: KeyboardEvent) => {
    const isMenuKey = event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey);
    if (!isMenuKey || !focusedCell(grid) || !openAt(event.target, null)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  host.addEventListener("contextmenu", onContextMenu);
  host.addEventListener("keydown", onKey, true);
  return () => {
    host.removeEventListener("contextmenu", onContextMenu);
    host.removeEventListener("keydown", onKey, true);
  };
}
