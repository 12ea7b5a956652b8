import type { RecordPlace } from "../../../records/record-trail.ts";
import type { GridController } from "../grid-controller.ts";
import { linkedPlace } from "./linked-place.ts";

/** A chip that the pointer rests on, the record that it is in, and the one that it names. */
export interface PointedLink {
  /** Where it was when the card opened: its element may be drawn anew. */
  box: DOMRect;
  record: string;
  place: RecordPlace;
}

/** How long the pointer rests on a chip before its card opens, and how long it may be away from both. */
const OPEN_MS = 450;
const CLOSE_MS = 200;

/**
 * Calls back with the chip that the pointer rests on, and with null once it has left the chip and its card, or when the user
 * presses, types or scrolls.
 */
export function followPointer(grid: GridController, show: (link: PointedLink | null) => void) {
  const { host } = grid;
  let timer: ReturnType<typeof setTimeout>;
  let pointed: Element | null = null;
  const later = (run: () => void, afterMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(run, afterMs);
  };
  const close = () => {
    pointed = null;
    later(() => show(null), 0);
  };
  const onOver = ({ target, pointerType, buttons }: PointerEvent) => {
    if (!(target instanceof Element) || pointerType === "touch" || buttons !== 0) return;
    const chip = host.contains(target) ? target.closest<HTMLElement>(".wf-link") : null;
    const isOnCard = target.closest(`[${LINK_CARD}]`) !== null;
    if (isOnCard) clearTimeout(timer);
    if (isOnCard || (chip && chip === pointed)) return;
    pointed = chip;
    // Its row may be read anew just then, and a pointer that rests is not announced again.
    const open = () => {
      const link = chip && linkAt(grid, chip);
      if (chip?.isConnected && !link) later(open, OPEN_MS);
      else show(link);
    };
    later(open, chip ? OPEN_MS : CLOSE_MS);
  };
  const listening = new AbortController();
  const { signal } = listening;
  document.addEventListener("pointerover", onOver, { signal });
  host.addEventListener("pointerdown", close, { capture: true, signal });
  host.addEventListener("wheel", close, { passive: true, signal });
  document.addEventListener("keydown", close, { capture: true, signal });
  return () => {
    listening.abort();
    clearTimeout(timer);
  };
}

/** Marks the card, which may be anywhere in the page. */
export const LINK_CARD = "data-link-card";

function linkAt(grid: GridController, element: HTMLElement): PointedLink | null {
  const cell = element.closest(".ag-cell");
  const shown = cell && grid.cells.showing(cell);
  const record = shown?.record ? grid.rowList.get(shown.record) : undefined;
  const place = shown && linkedPlace(grid, record, shown.field);
  return record && place
    ? { box: element.getBoundingClientRect(), record: record.id, place }
    : null;
}
