import { useEffect } from "react";
import { deepEqual } from "../../../../../shared/document/deep-equal.ts";
import { useAtom } from "../../../state/use-atom.ts";
import type { SummaryQuery } from "../../../sync/calls/summary.ts";
import type { GridController } from "../grid-controller.ts";
import { useViewSummary } from "../summary/use-view-summary.ts";

/** A long view is counted when its table has not changed for so long. */
const QUIET_MS = 3_000;

/** A number of records: exact, an estimate of all records of a table, or a number that they exceed. */
export interface Total {
  total: number;
  isExact: boolean;
  isLowerBound: boolean;
}

/**
 * The number of records of the view. Where pages say only that there are many, they are counted once while changes rest, which also says how far
 * the rows go.
 */
export function useTotal(grid: GridController): Total {
  const { rowList } = grid;
  const { phase, total, totalExact, estimate } = useAtom(rowList.statusAtom);
  const { filter, search, zone } = rowList.shownView;
  const isUncounted = phase === "ready" && !totalExact;
  const query: SummaryQuery | null = isUncounted
    ? { filter, search, zone, measures: [{ op: "count" }], group: null }
    : null;
  const { result, isExact } = useViewSummary(grid, query, QUIET_MS);
  const isCounted = isExact && query !== null && deepEqual(result?.query, query);
  const counted = isCounted ? Number(result?.summary.rows[0]?.value ?? 0) : null;
  useEffect(() => {
    if (counted !== null) rowList.extendTo(counted);
  }, [rowList, counted]);
  if (counted !== null) return { total: counted, isExact, isLowerBound: false };
  if (totalExact) return { total, isExact: true, isLowerBound: false };
  return { total: estimate ?? total, isExact: false, isLowerBound: estimate === undefined };
}
