import type { RecordView } from "../../state/record-view.ts";
import type { ColumnValue } from "./grouping.ts";

/** Records that a window, or the way between two of them, has brought. */
export interface CardSource {
  /** The column of the window; absent for those on their way. */
  column?: ColumnValue;
  ids: readonly string[];
}

export interface PlacedCards {
  /** The cards of each column; those that came from elsewhere stand first until the window knows their place. */
  cards: ReadonlyMap<ColumnValue, readonly RecordView[]>;
  /** Those that stand in another column than that of their window. */
  misplaced: readonly string[];
}

/** Puts every record once into the column where it belongs now, whichever window it came from. */
export function placeCards(
  sources: readonly CardSource[],
  get: (id: string) => RecordView | undefined,
  columnOf: (view: RecordView) => ColumnValue,
): PlacedCards {
  const own = new Map<ColumnValue, RecordView[]>();
  const arrived = new Map<ColumnValue, RecordView[]>();
  const seen = new Set<string>();
  const misplaced: string[] = [];
  for (const { column, ids } of sources) {
    for (const id of ids) {
      const view = get(id);
      if (!view || view.mark === "deleted" || seen.has(id)) continue;
      seen.add(id);
      const now = columnOf(view);
      if (now !== column) misplaced.push(id);
      const into = now === column ? own : arrived;
      const list = into.get(now);
      if (list) list.push(view);
      else into.set(now, [view]);
    }
  }
  const columns = new Set([...own.keys(), ...arrived.keys()]);
  const cards = new Map(
    [...columns].map((value) => [
      value,
      [...(arrived.get(value) ?? []), ...(own.get(value) ?? [])],
    ]),
  );
  return { cards, misplaced };
}
