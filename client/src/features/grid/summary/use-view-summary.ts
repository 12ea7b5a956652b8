import { useEffect, useState } from "react";
import { createAtom } from "../../../state/atom-store.ts";
import { useAtom } from "../../../state/use-atom.ts";
import { useUpToDate } from "../../../state/use-up-to-date.ts";
import type { SummaryQuery } from "../../../sync/calls/summary.ts";
import { openSummary } from "../../../sync/page/open-summary.ts";
import type { SummaryState, ViewSummary } from "../../../sync/rows/view-summary.ts";
import { useStable } from "../../../ui/use-stable.ts";
import type { GridController } from "../grid-controller.ts";

const nothing = createAtom<SummaryState>({ result: null, isExact: false, refusal: null });

/** The summary of a view, live or with `quietMs` while changes rest. It is requested once the rows are there; null for none. */
export function useViewSummary(
  grid: GridController,
  query: SummaryQuery | null,
  quietMs?: number,
): SummaryState {
  const wanted = useStable(query);
  const [summary, setSummary] = useState<ViewSummary | null>(null);
  const { phase } = useAtom(grid.rowList.statusAtom);
  const hasRows = phase === "ready";
  const [wasReady, setWasReady] = useState(hasRows);
  if (hasRows && !wasReady) setWasReady(true);
  const isWanted = wasReady && wanted !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query is given to the same summary below.
  useEffect(() => {
    if (!isWanted) return;
    const opened = openSummary(grid.session, grid.table.name, wanted, quietMs);
    setSummary(opened);
    return () => {
      opened.close();
      setSummary(null);
    };
  }, [grid, isWanted]);
  useEffect(() => {
    if (summary && wanted) summary.setQuery(wanted);
  }, [summary, wanted]);
  const state = useAtom(summary?.stateAtom ?? nothing);
  const isUpToDate = useUpToDate();
  return { ...state, isExact: state.isExact && isUpToDate };
}
