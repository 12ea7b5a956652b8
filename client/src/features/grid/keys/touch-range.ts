import { TOUCHED } from "../cells/paint-range-handles.ts";
import type { GridController } from "../grid-controller.ts";
import { boundsOf } from "../range/cell-range.ts";
import { isInEditor } from "./key-targets.ts";
import { cellAt, edgeScrolling, edgeStep, isSame } from "./pointer-range.ts";
import { rowOfHandle, selectRow } from "./select-lines.ts";

/**
 * Selects ranges by touch. A tap selects a cell, and on the handle before a row the whole row. The round handles of the range, in its
 * first and its last cell, are dragged to other cells. Every other movement scrolls.
 */
export function touchRange(grid: GridController): () => void {
  const { host } = grid;
  let dragging: number | null = null;
  let touched: HTMLElement | null = null;
  const scrolling = edgeScrolling(grid);
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
    const { top, bottom, left, right } = boundsOf(range);
    const ends = [
      { row: top, column: left },
      { row: bottom, column: right },
    ] as const;
    const [head, anchor] = handle.dataset.end === "first" ? ends : ends.toReversed();
    if (!anchor || !head) return;
    grid.range.select({ anchor, head });
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
    const head = grid.range.range?.head;
    if (cell && head && !isSame(cell, head)) grid.range.extendTo(cell);
    scrolling.follow(edgeStep(host, event));
  };
  const onEnd = (event: PointerEvent) => {
    if (event.pointerId !== dragging) return;
    dragging = null;
    scrolling.stop();
    // The event "touchend" comes after this one.
    const ended = touched;
    setTimeout(() => ended?.remove());
  };
  const onClick = ({ target }: MouseEvent) => {
    if (!host.hasAttribute(TOUCHED) || closest(target, ".wf-open, .wf-range-handle")) return;
    const row = rowOfHandle(grid, target);
    const cell = cellAt(grid, target);
    if (row !== null) selectRow(grid, row, { extend: false, add: false });
    // The focus doesn't move if the cell has it already.
    else if (cell && !isInEditor(target)) grid.range.selectCell(cell);
  };
  const listening = new AbortController();
  const { signal } = listening;
  host.addEventListener("pointerdown", onDown, { capture: true, signal });
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

function setTouched({ host, cells }: GridController, isTouched: boolean): void {
  if (host.hasAttribute(TOUCHED) === isTouched) return;
  host.toggleAttribute(TOUCHED, isTouched);
  if (isTouched) for (const cell of cells.all()) cell.paintRange();
}

function closest(target: EventTarget | null, selector: string): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(selector) : null;
}
