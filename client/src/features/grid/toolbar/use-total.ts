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

/** The records that a line counts: those of the rows that are shown, and of collapsed groups, which the row list leaves out. */
export type CountedView = Pick<SummaryQuery, "filter" | "search" | "zone">;

/**
 * The number of records of the view, those of collapsed groups included; null until these are counted. Where pages say only that there are
 * many, they are counted once while changes rest, which also says how far the rows go.
 */
export function useTotal(
  grid: GridController,
  view: CountedView,
  hasHidden: boolean,
): Total | null {
  const { rowList } = grid;
  const { phase, total, totalExact, estimate } = useAtom(rowList.statusAtom);
  const isUncounted = hasHidden || (phase === "ready" && !totalExact);
  const { filter, search, zone } = view;
  const query: SummaryQuery | null = isUncounted
    ? { filter, search, zone, measures: [{ op: "count" }], group: null }
    : null;
  const { result, isExact } = useViewSummary(grid, query, hasHidden ? undefined : QUIET_MS);
  const isOfView = query !== null && deepEqual(result?.query, query);
  // A count that changes have outdated is nearer to the truth than nothing.
  const isCounted = isOfView && (isExact || hasHidden);
  const counted = isCounted ? Number(result?.summary.rows[0]?.value ?? 0) : null;
  useEffect(() => {
    if (counted !== null && !hasHidden) rowList.extendTo(counted);
  }, [rowList, counted, hasHidden]);
  if (counted !== null) return { total: counted, isExact, isLowerBound: false };
  if (hasHidden) return null;
  if (totalExact) return { total, isExact: true, isLowerBound: false };
  return { total: estimate ?? total, isExact: false, isLowerBound: estimate === undefined };
}
