import { deepEqual } from "../../../../../shared/document/deep-equal.ts";
import { useAtom } from "../../../state/use-atom.ts";
import type { SummaryQuery } from "../../../sync/calls/summary.ts";
import type { GridController } from "../grid-controller.ts";
import { useViewSummary } from "../summary/use-view-summary.ts";

/** A long view is counted when its table has not changed for so long. */
const QUIET_MS = 3_000;

/** A number of records: exact, an estimate, or a lower bound. */
export interface Total {
  total: number;
  isExact: boolean;
  isLowerBound: boolean;
}

/** The number of records of the view. Of many records pages have an estimate: they are counted once while changes rest. */
export function useTotal(grid: GridController): Total {
  const { phase, total, totalExact } = useAtom(grid.rowList.statusAtom);
  const { filter, search, zone } = grid.rowList.shownView;
  const isEstimated = phase === "ready" && !totalExact;
  const query: SummaryQuery | null = isEstimated
    ? { filter, search, zone, measures: [{ op: "count" }], group: null }
    : null;
  const { result, isExact } = useViewSummary(grid, query, QUIET_MS);
  const isCounted = isExact && query !== null && deepEqual(result?.query, query);
  const counted = result?.summary.rows[0]?.value ?? 0;
  if (isCounted) return { total: Number(counted), isExact, isLowerBound: false };
  const isLowerBound = !totalExact && grid.abilities.hidesRows === true;
  return { total, isExact: totalExact, isLowerBound };
}
