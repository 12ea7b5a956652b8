import { useEffect, useState } from "react";
import { findField } from "../../../../shared/model/model.ts";
import type { ViewColumn } from "../../../../shared/model/view/view.ts";
import { gridMessages } from "../../messages/en/grid.ts";
import { summaryDetail } from "../../records/summary/summary-text.ts";
import {
  arrangementKey,
  placeColumns,
  readArrangement,
  summarizedColumns,
} from "../../records/views/column-layout.ts";
import { createAtom } from "../../state/atom-store.ts";
import { useMe } from "../../state/use-account.ts";
import { useAtom } from "../../state/use-atom.ts";
import { useUpToDate } from "../../state/use-up-to-date.ts";
import type { SummaryQuery } from "../../sync/calls/summary.ts";
import type { ViewQuery } from "../../sync/rows/view-query.ts";
import type { SummaryState, ViewSummary } from "../../sync/rows/view-summary.ts";
import { useStable } from "../../ui/use-stable.ts";
import type { BoardModel } from "./board-model.ts";
import type { BoardRules } from "./evaluate-drop.ts";
import type { ColumnValue } from "./grouping.ts";

const nothing = createAtom<SummaryState>({ result: null, isExact: false, refusal: null });

/** The summaries that are chosen below the table of a view, of each column of its board; live. */
export function useColumnTotals(
  model: BoardModel | null,
  { table, abilities, grouping }: BoardRules,
  view: ViewQuery,
  saved: { id: string; columns: readonly ViewColumn[] } | null,
): (column: ColumnValue) => readonly string[] {
  const own = readArrangement(arrangementKey(useMe().id, table.name, saved?.id));
  const placed = placeColumns(table, abilities.fields, own ?? saved?.columns ?? []);
  const columns = summarizedColumns(placed, (name) => findField(table, name));
  const { filter, search, zone } = view;
  const query = useStable<SummaryQuery>({
    ...{ filter, search, zone, group: { field: grouping.field.name } },
    measures: [{ op: "count" }, ...columns.map(({ column, op }) => ({ op, field: column.name }))],
  });
  const state = useSummary(columns.length > 0 ? model : null, query);
  const isExact = useUpToDate() && state.isExact;
  const { rows } = state.result?.query === query ? state.result.summary : {};
  return (value) => {
    const [count, ...values] = rows?.find(({ key }) => (key ?? null) === value)?.values ?? [];
    return columns.flatMap(({ column, op }, index) => {
      const result = values[index];
      if (result === undefined) return [];
      const text = summaryDetail(column, op, result, Number(count));
      return [isExact ? text : gridMessages.summaryEstimate({ value: text })];
    });
  };
}

function useSummary(model: BoardModel | null, query: SummaryQuery): SummaryState {
  const [summary, setSummary] = useState<ViewSummary | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query is given to the same summary below.
  useEffect(() => {
    if (!model) return;
    const opened = model.openTotals(query);
    setSummary(opened);
    return () => {
      opened.close();
      setSummary(null);
    };
  }, [model]);
  useEffect(() => summary?.setQuery(query), [summary, query]);
  return useAtom(summary?.stateAtom ?? nothing);
}
