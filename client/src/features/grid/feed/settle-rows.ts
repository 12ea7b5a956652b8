import type { Desk } from "../desk.ts";
import { recordInRow } from "../range/row-map.ts";
import { focusedCell } from "./keep-place.ts";

/** After leaving a row that stands out of place, the person has this long to go back to it. */
const SETTLE_MS = 2_500;

/**
 * Rows that no longer belong where they stand stay there while I am in them. When I have gone on to
 * another row and nothing is being typed, the rows are put in order; whoever is only looking is
 * never moved, their rows wait for the button under the table.
 */
export function settleRows(desk: Desk): () => void {
  const { api, window } = desk;
  /** Rows that I was in, until they are known to stand in their place. */
  const left = new Set<string>();
  let last: string | undefined;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const stop = () => {
    if (timer) clearTimeout(timer);
    timer = null;
  };
  const settleLater = () => {
    stop();
    timer = setTimeout(settle, SETTLE_MS);
  };
  /** An edit that is not yet confirmed may still move its row, so it is looked at again. */
  const settle = () => {
    timer = null;
    for (const id of left) if (!isUnsettled(id)) left.delete(id);
    if (left.size === 0) return;
    const isDisplaced = [...left].some((id) => window.get(id)?.mark);
    if (isDisplaced && !desk.editors.isOpen) window.realign();
    settleLater();
  };
  const isUnsettled = (id: string) => {
    const view = window.indexOf(id) < 0 ? undefined : window.get(id);
    return view !== undefined && (view.mark !== null || view.confirmed !== null);
  };
  const moved = () => {
    const at = focusedCell(desk);
    const now = at ? recordInRow(desk, at.row)?.id : undefined;
    if (last === now) return;
    if (last !== undefined) left.add(last);
    if (now !== undefined) left.delete(now);
    last = now;
    settleLater();
  };
  api.addEventListener("cellFocused", moved);
  return stop;
}
