import { useEffect, useMemo, useSyncExternalStore } from "react";
import { deepEqual } from "../../../../../shared/document/deep-equal.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { type PlacedColumn, summarizedColumns } from "../../../records/views/column-layout.ts";
import type { SummaryQuery } from "../../../sync/calls/summary.ts";
import { problemText } from "../../../ui/problem-text.ts";
import type { GridController } from "../grid-controller.ts";
import { useViewSummary } from "../summary/use-view-summary.ts";
import { useFurtherGroups } from "./use-further-groups.ts";
import type { Groups } from "./use-groups.ts";

interface Props {
  grid: GridController;
  groups: Groups;
  placed: readonly PlacedColumn[];
  view: Pick<SummaryQuery, "filter" | "search">;
}

/** Counts the groups of a view and gives the result to the headings between its rows. Renders nothing itself. */
export function GroupHeadings({ grid, groups, placed, view }: Props) {
  const { field, grouping, zone, isDescending } = groups;
  const { filter, search } = view;
  const columns = summarizedColumns(placed, (name) => grid.fields.get(name));
  const measures = [
    { op: "count" as const },
    ...columns.map(({ column, op }) => ({ op, field: column.name })),
  ];
  const query = { filter, search, zone, measures, group: grouping };
  const state = useViewSummary(grid, query);
  const { result, isExact } = state;
  // Headings take their places once no cell is edited.
  useSyncExternalStore(grid.editors.subscribe, () => grid.editors.isOpen);
  const isOfField = result?.query.group?.field === field.name;
  const isOfGrouping = isOfField && deepEqual(result.query.group, grouping);
  const isOfQuery = isOfGrouping && deepEqual(result.query.filter, filter);
  const { rows, seq, more = false } = isOfGrouping ? result.summary : {};
  const counted = useMemo(() => {
    // Of many groups, the first ones are the last of a descending view.
    return more && isDescending ? [] : (rows ?? null);
  }, [rows, more, isDescending]);
  const { further, refusal } = useFurtherGroups(grid, query, groups, more ? counted : null);
  const problem = state.refusal ?? refusal;
  useEffect(() => {
    grid.groups.set({
      groups,
      counted,
      further,
      columns,
      seq: isOfQuery ? (seq ?? null) : null,
      isExact,
      problem: problem && messages.summaryFailed({ reason: problemText(problem) }),
    });
  });
  useEffect(() => () => grid.groups.set(null), [grid]);
  return null;
}
