import { Menu, UnstyledButton } from "@mantine/core";
import type { Column } from "ag-grid-community";
import { useEffect, useState } from "react";
import type { Json } from "../../../../../shared/filter/filter.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import type { ColumnSummary } from "../../../../../shared/model/view/summary-ops.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { summaryNames, summaryText } from "../../../records/summary/summary-text.ts";
import type { PlacedColumn } from "../../../records/views/column-layout.ts";
import type { SummaryQuery } from "../../../sync/calls/summary.ts";
import type { SummaryState } from "../../../sync/rows/view-summary.ts";
import { problemText } from "../../../ui/problem-text.ts";
import type { GridController } from "../grid-controller.ts";
import classes from "./summary.module.css";
import { SummaryItems } from "./summary-menu.tsx";
import { useViewSummary } from "./use-view-summary.ts";

interface Props {
  grid: GridController;
  placed: readonly PlacedColumn[];
  view: Pick<SummaryQuery, "filter" | "search" | "zone">;
  onSummary(field: string, summary: ColumnSummary | null): void;
}

/** The chosen summaries of the columns, below them; nothing while none is chosen. */
export function SummaryRow({ grid, placed, view, onSummary }: Props) {
  const chosen = placed.flatMap(({ field, summary, hidden }) =>
    summary && !hidden ? [{ op: summary, field }] : [],
  );
  const { filter, search, zone } = view;
  const measures = [{ op: "count" as const }, ...chosen];
  const query = chosen.length > 0 ? { filter, search, zone, measures, group: null } : null;
  const state = useViewSummary(grid, query);
  if (!query) return null;
  return (
    <Cells
      grid={grid}
      placed={placed}
      values={valuesOf(state)}
      state={state}
      onSummary={onSummary}
    />
  );
}

/** The values of the newest result, by the measures that it has; of a new query some may be missing yet. */
function valuesOf({ result }: SummaryState): { count: number; of: Map<string, Json> } {
  const { query, summary } = result ?? {};
  const values = summary?.rows[0]?.values ?? [];
  const of = new Map(
    query?.measures.map(({ op, field }, index) => [`${op}:${field}`, values[index] ?? null]),
  );
  return { count: Number(values[0] ?? 0), of };
}

interface CellsProps extends Omit<Props, "view"> {
  values: ReturnType<typeof valuesOf>;
  state: SummaryState;
}

function Cells({ grid, placed, values, state, onSummary }: CellsProps) {
  const { pinned, center, pinnedWidth, scrolled } = useColumnBoxes(grid);
  const cell = (box: Partial<ColumnBox> & Pick<ColumnBox, "field">) => {
    const field = grid.fields.get(box.field);
    const summary = placed.find((column) => column.field === box.field)?.summary ?? null;
    if (!field) return null;
    const value = summary && values.of.get(`${summary}:${field.name}`);
    const text =
      summary && value !== undefined ? summaryText(field, summary, value, values.count) : null;
    const props = { field, summary, text, state, box };
    return <SummaryCell key={box.field} {...props} onSummary={(op) => onSummary(field.name, op)} />;
  };
  if (grid.cards) {
    return (
      <section className={classes.row} data-cards="" aria-label={messages.summary()}>
        {placed
          .filter(({ summary, hidden }) => summary && !hidden)
          .map(({ field }) => cell({ field }))}
      </section>
    );
  }
  return (
    <section className={classes.row} aria-label={messages.summary()}>
      <div className={classes.part} style={{ width: pinnedWidth }}>
        {pinned.map(cell)}
      </div>
      <div className={classes.part} data-center="">
        <div style={{ transform: `translateX(${-scrolled}px)` }}>{center.map(cell)}</div>
      </div>
    </section>
  );
}

interface CellProps {
  field: Field;
  summary: ColumnSummary | null;
  /** Null while it is not known. */
  text: string | null;
  state: SummaryState;
  /** Where its column is; cards have none. */
  box: Partial<ColumnBox>;
  onSummary(summary: ColumnSummary | null): void;
}

/** The summary of one column: a button that chooses another. */
function SummaryCell({ field, summary, text, state, box, onSummary }: CellProps) {
  const { isExact, refusal } = state;
  const shown =
    text === null
      ? messages.summaryWaiting()
      : isExact
        ? text
        : messages.summaryEstimate({ value: text });
  const name = summary ? `${summaryNames[summary]()} ${shown}` : "";
  const hint =
    refusal && !isExact
      ? messages.summaryFailed({ reason: problemText(refusal) })
      : isExact
        ? undefined
        : messages.summaryEstimated();
  return (
    <Menu position="top-end" returnFocus>
      <Menu.Target>
        <UnstyledButton
          className={classes.cell ?? ""}
          style={box.width === undefined ? {} : { left: box.left, width: box.width }}
          data-empty={summary === null || undefined}
          data-estimate={(summary !== null && !isExact) || undefined}
          title={summary ? (hint ?? shown) : undefined}
          aria-label={
            summary
              ? messages.summaryOf({ field: field.label, summary: name })
              : messages.summarize({ field: field.label })
          }
          aria-description={summary ? hint : undefined}
        >
          {summary ? (
            <>
              <span className={classes.name}>
                {box.width === undefined
                  ? messages.summaryOf({ field: field.label, summary: summaryNames[summary]() })
                  : summaryNames[summary]()}
              </span>{" "}
              <span className={classes.value}>{shown}</span>
            </>
          ) : (
            <span className={classes.name}>{messages.summarizeColumn()}</span>
          )}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <SummaryItems field={field} chosen={summary} onSummary={onSummary} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** Where a column is, in pixels from the start of its part of the grid. */
interface ColumnBox {
  field: string;
  left: number;
  width: number;
}

interface ColumnBoxes {
  pinned: readonly ColumnBox[];
  center: readonly ColumnBox[];
  pinnedWidth: number;
  /** How far the columns that are not pinned are scrolled. */
  scrolled: number;
}

/** The places of the grid's columns, as they are scrolled, moved and sized. */
function useColumnBoxes(grid: GridController): ColumnBoxes {
  const [boxes, setBoxes] = useState<ColumnBoxes>(() => readBoxes(grid));
  useEffect(() => {
    const { api } = grid;
    const read = () => setBoxes(readBoxes(grid));
    const scroll = ({ direction }: { direction: string }) => direction === "horizontal" && read();
    read();
    api.addEventListener("displayedColumnsChanged", read);
    api.addEventListener("columnResized", read);
    api.addEventListener("bodyScroll", scroll);
    return () => {
      if (api.isDestroyed()) return;
      api.removeEventListener("displayedColumnsChanged", read);
      api.removeEventListener("columnResized", read);
      api.removeEventListener("bodyScroll", scroll);
    };
  }, [grid]);
  return boxes;
}

function readBoxes({ api, fields }: GridController): ColumnBoxes {
  const left = api.getDisplayedLeftColumns();
  const box = (column: Column): ColumnBox[] => {
    const field = column.getColId();
    if (!fields.has(field)) return [];
    return [{ field, left: column.getLeft() ?? 0, width: column.getActualWidth() }];
  };
  return {
    pinned: left.flatMap(box),
    center: api.getDisplayedCenterColumns().flatMap(box),
    pinnedWidth: left.reduce((sum, column) => sum + column.getActualWidth(), 0),
    scrolled: api.getHorizontalPixelRange().left,
  };
}
