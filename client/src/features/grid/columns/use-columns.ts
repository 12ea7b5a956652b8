import { useCallback, useMemo, useState } from "react";
import { deepEqual } from "../../../../../shared/document/deep-equal.ts";
import type { Table } from "../../../../../shared/model/model.ts";
import type { ColumnSummary } from "../../../../../shared/model/view/summary-ops.ts";
import type { ViewColumn } from "../../../../../shared/model/view/view.ts";
import {
  arrangementKey,
  arrangementOf,
  type PlacedColumn,
  placeColumns,
  readArrangement,
} from "../../../records/views/column-layout.ts";
import { useMe } from "../../../state/use-account.ts";
import { storeInBrowser } from "../../../transport/storage/browser-storage.ts";
import { useLatest } from "../../../ui/use-latest.ts";
import { useStable } from "../../../ui/use-stable.ts";
import type { GridController } from "../grid-controller.ts";
import { isNarrow } from "./column-defs.ts";

type DrawnColumns = Pick<GridController, "api" | "columnScale" | "sharedWidths">;

export interface Columns {
  placed: readonly PlacedColumn[];
  /** The user's own arrangement; null while it equals the view's. */
  own: ViewColumn[] | null;
  /** Stores an arrangement that the user made in the grid. */
  readFromGrid(grid: DrawnColumns): void;
  /** Chooses what is computed of a column below the rows; null for nothing. */
  summarize(field: string, summary: ColumnSummary | null): void;
  reset(): void;
  /** Changes whenever the grid has to arrange its columns again. */
  arrangement: string;
}

/**
 * The columns of a table or of a view (by its id), with the user's own arrangement. That is stored in this browser for each
 * user and view, unless it equals the view's.
 */
export function useColumns(
  table: Table,
  visible: readonly string[],
  view: { id: string; columns: readonly ViewColumn[] } | null,
): Columns {
  const key = arrangementKey(useMe().id, table.name, view?.id);
  const [stored, setStored] = useState({ key: "", own: null as ViewColumn[] | null, resets: 0 });
  const { own, resets } = stored.key === key ? stored : { own: readArrangement(key), resets: 0 };
  const base = useStable(view?.columns ?? []);
  // Drops columns that were removed or hidden: saving them would be refused.
  const mine = useStable(own?.filter(({ field }) => visible.includes(field)) ?? null);
  const fromView = useMemo(() => placeColumns(table, visible, base), [table, visible, base]);
  const placed = useMemo(
    () => (mine ? placeColumns(table, visible, mine) : fromView),
    [table, visible, mine, fromView],
  );
  const store = useCallback(
    (changed: readonly PlacedColumn[]) => {
      const next = arrangementOf(changed, table);
      const matchesView = deepEqual(next, arrangementOf(fromView, table));
      storeInBrowser(key, matchesView ? null : JSON.stringify(next));
      setStored({ key, own: matchesView ? null : next, resets });
    },
    [key, table, fromView, resets],
  );
  const latest = useLatest(placed);
  const readFromGrid = useCallback(
    (grid: DrawnColumns) => store(readPlacedColumns(grid, latest.current)),
    [store],
  );
  const summarize = useCallback(
    (field: string, summary: ColumnSummary | null) =>
      store(latest.current.map((one) => (one.field === field ? { ...one, summary } : one))),
    [store],
  );
  const reset = useCallback(() => {
    storeInBrowser(key, null);
    setStored({ key, own: null, resets: resets + 1 });
  }, [key, resets]);
  return {
    placed,
    own: mine,
    readFromGrid,
    summarize,
    reset,
    arrangement: JSON.stringify([key, base, resets]),
  };
}

/** The columns as arranged in the grid. A small screen pins none, so it keeps the stored pins. */
function readPlacedColumns(
  { api, columnScale, sharedWidths }: DrawnColumns,
  before: readonly PlacedColumn[],
): PlacedColumn[] {
  const known = new Map(before.map((column) => [column.field, column]));
  return api.getColumnState().flatMap(({ colId, hide, pinned, width }) => {
    const column = known.get(colId);
    if (!column) return [];
    return [
      {
        field: colId,
        hidden: hide ?? false,
        pinned: isNarrow() ? column.pinned : pinned !== null && pinned !== undefined,
        width: width && !sharedWidths.has(colId) ? Math.round(width / columnScale) : column.width,
        summary: column.summary,
      },
    ];
  });
}
