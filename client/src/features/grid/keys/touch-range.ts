import { TOUCHED } from "../cells/paint-range-handles.ts";
import { isInEditor } from "../edit/editor-host.ts";
import type { GridController } from "../grid-controller.ts";
import { type Bounds, boundsOf, type CellRange } from "../range/cell-range.ts";
import { beginFill, dropFill, endFill, fillScroll } from "./fill-handle.ts";
import { cellAt, edgeScrolling, edgeStep, extendTo } from "./pointer-range.ts";
import { rowOfHandle, selectRow } from "./select-lines.ts";

/**
 * Selects and fills ranges by touch. A tap selects a cell, and on the handle before a row the whole row. The round handles of the range, in
 * its first and its last cell, are dragged to other cells; the square one is dragged to fill. Every other movement scrolls.
 */
export function touchRange(grid: GridController): () => void {
  const { host } = grid;
  let dragging: number | null = null;
  let touched: HTMLElement | null = null;
  /** What is filled from: the range when its square handle was touched. */
  let filled: Bounds | null = null;
  const scrolling = edgeScrolling(grid, () => filled);
  const onDown = (event: PointerEvent) => {
    setTouched(grid, event.pointerType === "touch");
    const handle = closest(event.target, ".wf-range-handle");
    const { range } = grid.range;
    if (event.pointerType !== "touch" || !handle || !range) return;
    event.preventDefault();
    event.stopPropagation();
    // One finger drags: a second one on the other handle does nothing.
    if (dragging !== null) return;
    grid.api.stopEditing();
    if (handle.dataset.end === "fill") filled = beginFill(grid, range);
    else selectTo(grid, range, handle.dataset.end === "first");
    host.setPointerCapture(event.pointerId);
    dragging = event.pointerId;
    // Handles are drawn in other cells while one is dragged. The touched one stays in the document until the touch has
    // ended: events of a touch go to the element where it began, and the grid must see its end.
    host.append(handle);
    touched = handle;
  };
  const onMove = (event: PointerEvent) => {
    if (event.pointerId !== dragging) return;
    const cell = cellAt(grid, document.elementFromPoint(event.clientX, event.clientY));
    if (cell) extendTo(grid, filled, cell);
    const step = edgeStep(host, event);
    scrolling.follow(filled ? fillScroll(filled, cell, step) : step);
  };
  const onEnd = (event: PointerEvent) => {
    if (event.pointerId !== dragging) return;
    dragging = null;
    scrolling.stop();
    if (filled && event.type === "pointerup") endFill(grid, filled);
    else if (filled) dropFill(grid, filled);
    filled = null;
    // The event "touchend" comes after this one.
    const ended = touched;
    setTimeout(() => ended?.remove());
  };
  // A long press on a handle opens no menu.
  const onMenu = (event: Event) => {
    if (dragging === null) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onClick = ({ target }: MouseEvent) => {
    if (dragging !== null || !host.hasAttribute(TOUCHED)) return;
    if (closest(target, ".wf-open, .wf-range-handle")) return;
    const row = rowOfHandle(grid, target);
    const cell = cellAt(grid, target);
    if (row !== null) selectRow(grid, row, { extend: false, add: false });
    // The focus doesn't move if the cell has it already.
    else if (cell && !isInEditor(target)) grid.range.selectCell(cell);
  };
  const listening = new AbortController();
  const { signal } = listening;
  host.addEventListener("pointerdown", onDown, { capture: true, signal });
  host.addEventListener("contextmenu", onMenu, { capture: true, signal });
  host.addEventListener("pointermove", onMove, { signal });
  host.addEventListener("pointerup", onEnd, { signal });
  host.addEventListener("pointercancel", onEnd, { signal });
  host.addEventListener("click", onClick, { signal });
  return () => {
    listening.abort();
    scrolling.stop();
    touched?.remove();
    host.removeAttribute(TOUCHED);
  };
}

/** Makes the first or the last cell of a range the one that moves. */
function selectTo(grid: GridController, range: CellRange, isFirst: boolean): void {
  const { top, bottom, left, right } = boundsOf(range);
  const first = { row: top, column: left };
  const last = { row: bottom, column: right };
  grid.range.select(isFirst ? { anchor: last, head: first } : { anchor: first, head: last });
}

function setTouched({ host, cells }: GridController, isTouched: boolean): void {
  if (host.hasAttribute(TOUCHED) === isTouched) return;
  host.toggleAttribute(TOUCHED, isTouched);
  if (isTouched) for (const cell of cells.all()) cell.paintRange();
}

function closest(target: EventTarget | null, selector: string): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(selector) : null;
}
