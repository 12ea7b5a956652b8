import { Button } from "@mantine/core";
import { useEffect } from "react";
import { deepEqual } from "../../../../../shared/document/deep-equal.ts";
import type { Json } from "../../../../../shared/filter/filter.ts";
import type { SummaryRow } from "../../../../../shared/protocol/summary.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import type { SummaryQuery } from "../../../sync/calls/summary.ts";
import type { SummaryState } from "../../../sync/window/view-summary.ts";
import { useLabelUpdates } from "../../../ui/fields/use-label-updates.ts";
import { formatCount } from "../../../ui/numbers.ts";
import { problemText } from "../../../ui/problem-text.ts";
import { insertRecord, newValues } from "../actions/record-actions.ts";
import type { PlacedColumn } from "../columns/column-layout.ts";
import type { GridController } from "../grid-controller.ts";
import { summaryNames, summaryText } from "../summary/summary-text.ts";
import { useViewSummary } from "../summary/use-view-summary.ts";
import { goToGroup } from "./go-to-group.ts";
import { memberFilter } from "./group-filter.ts";
import { GroupLabel } from "./group-label.tsx";
import { GroupList, type ListedGroup } from "./group-list.tsx";
import { groupingLabel } from "./group-menu.tsx";
import classes from "./groups.module.css";
import { markGroupStarts } from "./mark-group-starts.ts";
import type { Groups } from "./use-groups.ts";

interface Props {
  grid: GridController;
  groups: Groups;
  placed: readonly PlacedColumn[];
  view: Pick<SummaryQuery, "filter" | "search">;
}

/** The groups of a view beside its rows, with their counts and the summaries of the columns. */
export function GroupsPanel({ grid, groups, placed, view }: Props) {
  const { field, grouping, zone, isDescending, hidden, hide } = groups;
  const { filter, search } = view;
  const columns = summarizedColumns(grid, placed);
  const measures = [
    { op: "count" as const },
    ...columns.map(({ column, op }) => ({ op, field: column.name })),
  ];
  const state = useViewSummary(grid, { filter, search, zone, measures, group: grouping });
  useLabelUpdates(grid.labels);
  useEffect(() => markGroupStarts(grid, field, grouping, zone), [grid, field, grouping, zone]);
  const isCurrent = state.result !== null && deepEqual(state.result.query.group, grouping);
  const summary = isCurrent ? state.result?.summary : undefined;
  const rows = summary ? (isDescending ? summary.rows.toReversed() : summary.rows) : [];
  const keys = rows.map(({ key }) => key);
  const listed = rows.map((row) => ({
    ...describeGroup(row, columns, state.isExact),
    name: row.label || messages.emptyGroup({ field: field.label }),
    label: <GroupLabel {...{ field, grouping }} value={row.key} lookUp={grid.labels} />,
    isHidden: hidden.includes(row.key),
    mayAdd: mayAdd(grid, groups, row.key),
  }));
  const toggle = (key: Json) =>
    hide(hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key], keys);
  const goTo = (index: number) => {
    const row = rows[index];
    if (!row) return;
    if (hidden.includes(row.key)) return toggle(row.key);
    const before = rows.slice(0, index).filter(({ key }) => !hidden.includes(key));
    const start = before.reduce((sum, { values }) => sum + Number(values[0]), 0);
    void goToGroup(grid, groups, row.key, start);
  };
  const label = groupingLabel(field, grouping);
  return (
    <aside className={classes.panel} aria-label={messages.groupedBy({ field: label })}>
      <header className={classes.head}>
        <span className={classes.title}>{label}</span>
        <Button
          variant="subtle"
          size="compact-xs"
          disabled={rows.length === 0}
          onClick={() => hide(hidden.length > 0 ? [] : keys, keys)}
        >
          {hidden.length > 0 ? messages.showGroups() : messages.hideGroups()}
        </Button>
      </header>
      <GroupList
        groups={listed}
        onGo={goTo}
        onToggle={toggle}
        onAdd={(key) => insertRecord(grid, key === null ? null : memberFilter(field, key))}
      />
      {notesOf(state, summary).map((note) => (
        <p key={note} className={classes.note}>
          {note}
        </p>
      ))}
    </aside>
  );
}

type Summarized = ReturnType<typeof summarizedColumns>;

/** The shown columns that have a summary. */
function summarizedColumns(grid: GridController, placed: readonly PlacedColumn[]) {
  return placed.flatMap(({ field, summary, hidden }) => {
    const column = grid.fields.get(field);
    return summary && column && !hidden ? [{ column, op: summary }] : [];
  });
}

/** The count and the summaries of a group; of a new query some may be missing yet. */
function describeGroup(
  { key, values }: SummaryRow,
  columns: Summarized,
  isExact: boolean,
): Pick<ListedGroup, "key" | "count" | "details"> {
  const [count = 0, ...others] = values;
  const text = formatCount(Number(count));
  const details = columns.flatMap(({ column, op }, index) => {
    const value = others[index];
    if (value === undefined) return [];
    const shown = summaryText(column, op, value, Number(count));
    const named = { field: column.label, summary: summaryNames[op](), value: shown };
    return [messages.groupDetail(named)];
  });
  return { key, count: isExact ? text : messages.summaryEstimate({ value: text }), details };
}

/** Whether a new record can begin in a group: its field may be written, and its state is an initial one. */
function mayAdd(grid: GridController, { field, grouping }: Groups, key: Json): boolean {
  if (!grid.abilities.create || grouping.by === "month") return false;
  return key === null || newValues(grid, memberFilter(field, key))[field.name] !== undefined;
}

function notesOf(
  { isExact, refusal }: SummaryState,
  summary: { rows: readonly SummaryRow[]; more: boolean } | undefined,
): string[] {
  if (!summary) {
    return [
      refusal ? messages.summaryFailed({ reason: problemText(refusal) }) : messages.counting(),
    ];
  }
  return [
    ...(isExact ? [] : [messages.summaryEstimated()]),
    ...(summary.more ? [messages.moreGroups({ count: summary.rows.length })] : []),
    ...(summary.rows.length === 0 ? [messages.noGroupYet()] : []),
  ];
}
