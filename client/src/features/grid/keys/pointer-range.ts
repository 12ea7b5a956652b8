import { fillToNeighbour } from "../actions/fill-to-neighbour.ts";
import { isInEditor } from "../edit/editor-host.ts";
import type { GridController } from "../grid-controller.ts";
import { beginDrag, draggedIds } from "../move/movable-rows.ts";
import type { Bounds, Cell } from "../range/cell-range.ts";
import { recordInRow, rowCount, rowOf, rowOfRecord, showRow } from "../range/row-map.ts";
import { focusedCell } from "../rows/grid-focus.ts";
import { beginFill, endFill, fillScroll, fillSide, fillTo, isCorner } from "./fill-handle.ts";
import { deselect, rowOfHandle, selectRow } from "./select-lines.ts";

/** How near to the edge a dragged pointer scrolls the rows, and how often. */
const EDGE_PX = 28;
const SCROLL_EVERY_MS = 60;

/**
 * Selects and fills ranges by pointer: drag from a cell, Shift and click, or Ctrl and click for a further one, or to take one away. The handle
 * before a row selects it whole, or moves the row. The corner of the range is dragged to fill, or double-clicked.
 */
export function pointerRange(grid: GridController): () => void {
  const { host } = grid;
  let dragging: "cells" | "rows" | null = null;
  /** What is filled from: the range when its corner was taken. */
  let filled: Bounds | null = null;
  /** The cell under the pointer was just taken out of the selection. */
  let isDeselected = false;
  const scrolling = edgeScrolling(grid, () => filled);
  // The grid moves its focus on pointerdown, the browser on mousedown. Extending or filling a range must not move the
  // focus to the cell under the pointer, so both events are stopped.
  const keepFocus = (event: MouseEvent) => {
    if (isInEditor(event.target)) return;
    const keeps = event.shiftKey || filled !== null || isDeselected;
    const isOnCell = keeps && cellAt(grid, event.target) !== null;
    const isOurs = isOnCell || isMenuOfRange(grid, event);
    if (!isOurs && rowOfHandle(grid, event.target) === null) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onDown = (event: PointerEvent) => {
    const cell = cellAt(grid, event.target);
    const handle = rowOfHandle(grid, event.target);
    const touched = event.pointerType === "touch";
    isDeselected = false;
    if (isMenuOfRange(grid, event)) keepFocus(event);
    if (event.button !== 0 || touched || isInEditor(event.target)) return;
    const { range } = grid.range;
    const add = event.ctrlKey || event.metaKey;
    if (handle !== null) {
      // Preventing its default would end the mouse events of the drag.
      event.stopPropagation();
      grid.api.stopEditing();
      if (!event.shiftKey && !add && dragsRow(grid, handle, event)) return;
      selectRow(grid, handle, { extend: event.shiftKey, add });
      dragging = "rows";
      return;
    }
    if (!cell) return;
    if (range && isCorner(event)) {
      filled = beginFill(grid, range);
      event.stopPropagation();
    } else if (event.shiftKey && range) {
      keepFocus(event);
      grid.range.extendTo(cell);
    } else if (add && deselect(grid, { anchor: cell, head: cell })) {
      isDeselected = true;
      keepFocus(event);
      return;
    } else {
      grid.range.select({ anchor: cell, head: cell }, { add });
    }
    dragging = "cells";
  };
  const onMove = (event: MouseEvent) => {
    if (!dragging) return;
    if (event.buttons === 0) {
      dragging = null;
      filled = null;
      scrolling.stop();
      return;
    }
    const cell = dragging === "rows" ? rowEnd(grid, event.target) : cellAt(grid, event.target);
    if (cell) extendTo(grid, filled, cell);
    const edge = edgeStep(host, event);
    const rowsOnly = dragging === "rows" ? { ...edge, column: 0 } : edge;
    scrolling.follow(filled ? fillScroll(filled, cell, edge) : rowsOnly);
  };
  const onUp = () => {
    dragging = null;
    scrolling.stop();
    if (filled) endFill(grid, filled);
    filled = null;
  };
  const onDouble = (event: MouseEvent) => {
    if (!isCorner(event)) return;
    event.stopPropagation();
    void fillToNeighbour(grid);
  };
  const listening = new AbortController();
  const { signal } = listening;
  host.addEventListener("pointerdown", onDown, { capture: true, signal });
  host.addEventListener("mousedown", keepFocus, { capture: true, signal });
  host.addEventListener("dblclick", onDouble, { capture: true, signal });
  window.addEventListener("mousemove", onMove, { signal });
  window.addEventListener("mouseup", onUp, { signal });
  return () => {
    listening.abort();
    scrolling.stop();
  };
}

/**
 * Where rows can be moved by hand, one that is dragged by its number moves, and Shift extends the selection. What is selected as a whole moves with
 * it, and is as it was until the pointer is released.
 */
function dragsRow(grid: GridController, row: number, event: PointerEvent): boolean {
  const record = recordInRow(grid, row)?.id;
  if (record === undefined || grid.actions.movable().reason !== null) return false;
  if (draggedIds(grid, record).length < 2) selectRow(grid, row, { extend: false, add: false });
  beginDrag(grid, record, event);
  return true;
}

/** Whether the right button is on a selected cell: the menu is of the whole range, which stays. */
function isMenuOfRange(grid: GridController, { button, target }: MouseEvent): boolean {
  const cell = button === 2 && target instanceof Element ? target.closest(".ag-cell") : null;
  const shown = cell && grid.cells.showing(cell);
  return shown?.record != null && grid.range.has(shown.record, shown.field);
}

/** The last cell of the row at an event, on its handle or on its cells. */
function rowEnd(grid: GridController, target: EventTarget | null): Cell | null {
  const row = rowOfHandle(grid, target) ?? cellAt(grid, target)?.row;
  return row === undefined ? null : { row, column: grid.columns.length - 1 };
}

/** The range follows the focus when keys move it, and keeps its anchor while it is extended. */
export function followFocus(grid: GridController): void {
  const at = focusedCell(grid);
  if (!at) return;
  if (at.row < grid.rowList.created.length) showPinned(grid, at);
  grid.range.followFocus(at);
}

/** AG Grid scrolls its rows, but not those pinned above them. */
function showPinned(grid: GridController, { row, field }: { row: number; field: string }): void {
  const record = grid.rowList.created[row]?.id ?? "";
  grid.cells.find(record, field)?.element.scrollIntoView({ block: "nearest" });
}

export function cellAt(grid: GridController, target: EventTarget | null): Cell | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>(".ag-cell") : null;
  const row = cell?.closest<HTMLElement>("[row-index]");
  const column = grid.columns.indexOf(cell?.getAttribute("col-id") ?? "");
  const index = row?.getAttribute("row-index");
  if (!index || column < 0) return null;
  // What was clicked is the record that the cell shows, even if the rows are just being drawn anew.
  const record = cell && grid.cells.showing(cell)?.record;
  const shown = typeof record === "string" ? rowOfRecord(grid, record) : -1;
  if (shown >= 0) return { row: shown, column };
  const isPinned = index.startsWith("t-");
  const rowIndex = Number(isPinned ? index.slice(2) : index);
  return { row: rowOf(grid, { rowIndex, rowPinned: isPinned ? "top" : null }), column };
}

/** Moves the last cell of the range, or fills from `filled` to there. */
export function extendTo(grid: GridController, filled: Bounds | null, to: Cell): void {
  const head = grid.range.range?.head;
  if (filled) fillTo(grid, filled, to);
  else if (head && (head.row !== to.row || head.column !== to.column)) grid.range.extendTo(to);
}

/** Which way a pointer at the edge scrolls. */
export function edgeStep(host: HTMLElement, { clientX: x, clientY: y }: MouseEvent): Cell {
  const { top, bottom, left, right } = host.getBoundingClientRect();
  const up = y < top + EDGE_PX * 2 ? -1 : 0;
  const back = x < left + EDGE_PX ? -1 : 0;
  return { row: y > bottom - EDGE_PX ? 1 : up, column: x > right - EDGE_PX ? 1 : back };
}

/** Extends the range by steps, or fills from `filled`, and scrolls with it, as long as a dragged pointer is at an edge. */
export function edgeScrolling(grid: GridController, filled: () => Bounds | null) {
  let timer: ReturnType<typeof setInterval>;
  const stop = () => clearInterval(timer);
  const follow = (step: Cell) => {
    stop();
    const isAtEdge = step.row !== 0 || step.column !== 0;
    if (isAtEdge) timer = setInterval(() => scrollBy(grid, step, filled()), SCROLL_EVERY_MS);
  };
  return { follow, stop };
}

function scrollBy(grid: GridController, by: Cell, filled: Bounds | null): void {
  const { range } = grid.range;
  if (!range) return;
  const from = filled ? fillSide(range, by) : range.head;
  const row = Math.max(0, Math.min(rowCount(grid) - 1, from.row + by.row));
  const column = Math.max(0, Math.min(grid.columns.length - 1, from.column + by.column));
  extendTo(grid, filled, { row, column });
  showCell(grid, { row, column });
}

/** Scrolls to a cell. */
export function showCell(grid: GridController, { row, column }: Cell): void {
  showRow(grid, row);
  const field = grid.columns[column];
  if (field !== undefined) grid.api.ensureColumnVisible(field);
}
