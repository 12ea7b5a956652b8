import { gridMessages as messages } from "../../../messages/en/grid.ts";
import type { GridController } from "../grid-controller.ts";
import { selectRow } from "../keys/select-lines.ts";
import { rowOfRecord } from "../range/row-map.ts";
import { moveBehind } from "./move-rows.ts";

/** A pointer that moves less is a click. */
const CLICK_MAX_PX = 4;
/** How near to the upper or lower edge of the rows a dragged pointer scrolls them, and how far with each frame. */
const EDGE_PX = 32;
const SCROLL_PX = 6;

/** Where rows would be dropped: behind a record, or before all; and the height of that line on the screen. */
interface Drop {
  behind: string | null;
  y: number;
}

/**
 * Drags records by the row number of one of them, as long as the button is down. A line shows where they come to; Escape, or a release outside the rows,
 * leaves them. Without a movement it was a click, which selects the row.
 */
export function dragRows(
  grid: GridController,
  { record, records }: { record: string; records: readonly string[] },
  start: PointerEvent,
): void {
  const { host } = grid;
  const line = document.createElement("div");
  line.className = "wf-drop-line";
  const label = document.createElement("span");
  label.textContent = messages.dragged({ count: records.length });
  line.append(label);
  let isDragging = false;
  let drop: Drop | null = null;
  let at = { clientX: start.clientX, clientY: start.clientY };
  const viewport = host.querySelector<HTMLElement>(".ag-grid-viewport");
  const show = () => {
    drop = dropAt(grid, at);
    line.hidden = drop === null;
    if (drop) line.style.top = `${drop.y - host.getBoundingClientRect().top}px`;
  };
  let frame = 0;
  const scroll = () => {
    frame = requestAnimationFrame(scroll);
    if (!viewport) return;
    const { top, bottom } = viewport.getBoundingClientRect();
    const isUp = at.clientY < top + EDGE_PX;
    if (!isUp && at.clientY < bottom - EDGE_PX) return;
    viewport.scrollTop += isUp ? -SCROLL_PX : SCROLL_PX;
    show();
  };
  const listening = new AbortController();
  const { signal } = listening;
  const end = () => {
    listening.abort();
    cancelAnimationFrame(frame);
    line.remove();
    host.removeAttribute("data-dragging");
  };
  const onMove = (event: MouseEvent) => {
    if (event.buttons === 0) return end();
    at = { clientX: event.clientX, clientY: event.clientY };
    const isFar = Math.abs(event.clientY - start.clientY) > CLICK_MAX_PX;
    if (!isDragging && !isFar) return;
    if (!isDragging) {
      isDragging = true;
      host.append(line);
      host.toggleAttribute("data-dragging", true);
      scroll();
    }
    show();
  };
  const onUp = () => {
    const [wasDragged, to] = [isDragging, drop];
    end();
    const row = rowOfRecord(grid, record);
    if (!wasDragged && row >= 0) selectRow(grid, row, { extend: false, add: false });
    if (wasDragged && to) void moveBehind(grid, records, to.behind);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    end();
  };
  window.addEventListener("mousemove", onMove, { signal });
  window.addEventListener("mouseup", onUp, { signal });
  window.addEventListener("blur", end, { signal });
  window.addEventListener("keydown", onKey, { capture: true, signal });
}

/** The gap between two rows that is nearest to a pointer above the rows. */
function dropAt(
  grid: GridController,
  { clientX, clientY }: Pick<MouseEvent, "clientX" | "clientY">,
): Drop | null {
  const { host, rowList } = grid;
  const under = document.elementFromPoint(clientX, clientY);
  if (!under || !host.contains(under)) return null;
  const drawn = under.closest<HTMLElement>(".ag-row[row-index]");
  const index = Number(drawn?.getAttribute("row-index"));
  if (!drawn || Number.isNaN(index)) return dropAtEnd(grid);
  const { top, bottom } = drawn.getBoundingClientRect();
  const isUpper = clientY < (top + bottom) / 2;
  const row = grid.groups.rowAtIndex(index) - (isUpper ? 1 : 0);
  const y = isUpper ? top : bottom;
  if (row < 0) return { behind: null, y };
  const { id } = rowList.at(row) ?? {};
  return id === undefined ? null : { behind: id, y };
}

/** Below the last row. */
function dropAtEnd({ host, rowList }: GridController): Drop | null {
  const last = rowList.status.rowCount - 1;
  const drawn = host.querySelector(`.ag-row[row-index="${last}"]`);
  const { id } = rowList.at(last) ?? {};
  return drawn && id !== undefined ? { behind: id, y: drawn.getBoundingClientRect().bottom } : null;
}
