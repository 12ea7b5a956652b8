import type { GridController } from "../grid-controller.ts";
import { type Cell, rangeOf } from "../range/cell-range.ts";
import { focusedCell } from "../rows/grid-focus.ts";

/** How near to the edge a dragged pointer scrolls the rows, and how often. */
const EDGE_PX = 28;
const SCROLL_EVERY_MS = 60;

/** Selects ranges by pointer: drag from a cell, or Shift and click. */
export function pointerRange(grid: GridController): () => void {
  const { host } = grid;
  let dragging = false;
  let scrolling: ReturnType<typeof setInterval> | null = null;
  const stopScrolling = () => {
    if (scrolling) clearInterval(scrolling);
    scrolling = null;
  };
  // The grid moves its focus on pointerdown, the browser on mousedown. Extending a range by Shift must not move the focus,
  // so both events are stopped.
  const onShift = (event: MouseEvent) => {
    if (!event.shiftKey || !cellAt(grid, event.target) || isInEditor(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onDown = (event: PointerEvent) => {
    const cell = cellAt(grid, event.target);
    const touched = event.pointerType === "touch";
    if (!cell || event.button !== 0 || touched || isInEditor(event.target)) return;
    if (event.shiftKey && grid.range.range) {
      onShift(event);
      grid.range.set({ anchor: grid.range.range.anchor, head: cell });
    } else {
      grid.range.set(rangeOf(cell));
    }
    dragging = true;
  };
  const onMove = (event: MouseEvent) => {
    if (!dragging) return;
    if (event.buttons === 0) {
      dragging = false;
      stopScrolling();
      return;
    }
    const cell = cellAt(grid, event.target);
    const range = grid.range.range;
    if (cell && range && !isSame(cell, range.head))
      grid.range.set({ anchor: range.anchor, head: cell });
    stopScrolling();
    const by = edgeStep(host, event.clientY);
    if (by !== 0) scrolling = setInterval(() => scrollBy(grid, by), SCROLL_EVERY_MS);
  };
  const onUp = () => {
    dragging = false;
    stopScrolling();
  };
  host.addEventListener("pointerdown", onDown, true);
  host.addEventListener("mousedown", onShift, true);
  window.addEventListener("mousemove", onMove);
  window.addEventListener("mouseup", onUp);
  return () => {
    stopScrolling();
    host.removeEventListener("pointerdown", onDown, true);
    host.removeEventListener("mousedown", onShift, true);
    window.removeEventListener("mousemove", onMove);
    window.removeEventListener("mouseup", onUp);
  };
}

/** The range follows the focus when keys move it, and keeps its anchor while it is extended. */
export function followFocus(grid: GridController): void {
  const at = focusedCell(grid);
  const range = grid.range.range;
  if (!at) return;
  if (at.row < grid.window.created.length) showPinned(grid, at);
  if (range && range.anchor.row === at.row && range.anchor.column === at.column) return;
  grid.range.setCell({ row: at.row, column: at.column });
}

/** AG Grid scrolls its rows, but not those pinned above them. */
function showPinned(grid: GridController, { row, field }: { row: number; field: string }): void {
  const record = grid.window.created[row]?.id ?? "";
  grid.cells.find(record, field)?.element.scrollIntoView({ block: "nearest" });
}

function cellAt(grid: GridController, target: EventTarget | null): Cell | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>(".ag-cell") : null;
  const row = cell?.closest<HTMLElement>("[row-index]");
  const column = grid.columns.indexOf(cell?.getAttribute("col-id") ?? "");
  const index = row?.getAttribute("row-index");
  if (!index || column < 0) return null;
  const above = grid.window.created.length;
  return { row: index.startsWith("t-") ? Number(index.slice(2)) : Number(index) + above, column };
}

function isInEditor(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest(".wf-editor, .wf-editor-popup, .wf-open") !== null
  );
}

function isSame(a: Cell, b: Cell): boolean {
  return a.row === b.row && a.column === b.column;
}

function edgeStep(host: HTMLElement, y: number): number {
  const { top, bottom } = host.getBoundingClientRect();
  if (y > bottom - EDGE_PX) return 1;
  return y < top + EDGE_PX * 2 ? -1 : 0;
}

function scrollBy(grid: GridController, by: number): void {
  const range = grid.range.range;
  if (!range) return;
  const above = grid.window.created.length;
  const row = Math.max(0, Math.min(above + grid.window.status.rowCount - 1, range.head.row + by));
  grid.range.set({ anchor: range.anchor, head: { row, column: range.head.column } });
  if (row >= above) grid.api.ensureIndexVisible(row - above);
}
