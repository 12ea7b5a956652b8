import type { RecordView } from "../../state/record-view.ts";
import type { ColumnValue } from "./grouping.ts";

/** Records of a window, or those moving between two of them. */
export interface CardSource {
  /** The column of the window; absent for moving cards. */
  column?: ColumnValue;
  ids: readonly string[];
}

interface PlacedCards {
  /** The cards of each column. Cards from other windows come first until the window has loaded them. */
  cards: ReadonlyMap<ColumnValue, readonly RecordView[]>;
  /** Cards shown in another column than that of their window. */
  misplaced: readonly string[];
}

/** Puts every record into its present column once, whichever window it came from. */
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
