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
  const { api, editors, window } = desk;
  /** Rows that I was in, until they are known to stand in their place. */
  const visited = new Set<string>();
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
    const here = focusedRecord(desk);
    const left = [...visited].filter((id) => id !== here);
    for (const id of left) if (!isUnsettled(id)) visited.delete(id);
    const unsettled = left.filter((id) => visited.has(id));
    if (unsettled.length === 0) return;
    const isDisplaced = unsettled.some((id) => window.get(id)?.mark);
    if (isDisplaced && !editors.isOpen) window.realign();
    settleLater();
  };
  const isUnsettled = (id: string) => {
    const view = window.indexOf(id) < 0 ? undefined : window.get(id);
    return view !== undefined && (view.mark !== null || view.confirmed !== null);
  };
  const visit = (record: string | undefined) => {
    if (record !== undefined) visited.add(record);
    settleLater();
  };
  // The grid tells of the focus some time later, when it may have moved on already: a row that I have
  // written in is one that I was in, whatever was told.
  api.addEventListener("cellFocused", () => visit(focusedRecord(desk)));
  const unsubscribe = editors.subscribe(() => visit(editors.current()?.record));
  return () => {
    unsubscribe();
    stop();
  };
}

function focusedRecord(desk: Desk): string | undefined {
  const at = focusedCell(desk);
  return at ? recordInRow(desk, at.row)?.id : undefined;
}
