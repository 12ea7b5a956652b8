import type { GridController } from "../grid-controller.ts";
import { recordInRow } from "../range/row-map.ts";
import { focusedCell } from "./grid-focus.ts";

/** After leaving a row that stands out of place, the person has this long to go back to it. */
const REALIGN_DELAY_MS = 2_500;

/**
 * Rows that no longer belong where they stand stay there while I am in them. When I have gone on to
 * another row and nothing is being typed, the rows are put in order; whoever is only looking is
 * never moved, their rows wait for the button under the table.
 */
export function realignRows(grid: GridController): () => void {
  const { api, editors, window } = grid;
  /** Rows that I was in, until they are known to stand in their place. */
  const visited = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const stop = () => {
    if (timer) clearTimeout(timer);
    timer = null;
  };
  const realignLater = () => {
    stop();
    timer = setTimeout(realign, REALIGN_DELAY_MS);
  };
  /** An edit that is not yet confirmed may still move its row, so it is looked at again. */
  const realign = () => {
    timer = null;
    const current = focusedRecord(grid);
    const left = [...visited].filter((id) => id !== current);
    for (const id of left) if (!isPendingOrDisplaced(id)) visited.delete(id);
    const remaining = left.filter((id) => visited.has(id));
    if (remaining.length === 0) return;
    const isDisplaced = remaining.some((id) => window.get(id)?.mark);
    if (isDisplaced && !editors.isOpen) window.realign();
    realignLater();
  };
  const isPendingOrDisplaced = (id: string) => {
    const view = window.indexOf(id) < 0 ? undefined : window.get(id);
    return view !== undefined && (view.mark !== null || view.confirmed !== null);
  };
  const visit = (record: string | undefined) => {
    if (record !== undefined) visited.add(record);
    realignLater();
  };
  // The grid tells of the focus some time later, when it may have moved on already: a row that I have
  // written in is one that I was in, whatever was told.
  api.addEventListener("cellFocused", () => visit(focusedRecord(grid)));
  const unsubscribe = editors.subscribe(() => visit(editors.current()?.record));
  return () => {
    unsubscribe();
    stop();
  };
}

function focusedRecord(grid: GridController): string | undefined {
  const at = focusedCell(grid);
  return at ? recordInRow(grid, at.row)?.id : undefined;
}
