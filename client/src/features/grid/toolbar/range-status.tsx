import { useEffect, useState } from "react";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { richText } from "../../../messages/rich-text.tsx";
import { formatValue } from "../../../records/fields/format-value.ts";
import { averageText } from "../../../records/summary/summary-text.ts";
import { announce } from "../../../ui/announce.ts";
import { formatCount } from "../../../ui/numbers.ts";
import { cellsOf } from "../actions/range-actions.ts";
import type { GridController } from "../grid-controller.ts";
import type { RangeSize } from "../range/range-model.ts";
import { type Statistics, statisticsOf } from "../range/statistics.ts";
import classes from "./toolbar.module.css";

/** How often the numbers follow changes at most; of many cells less often, because all are added again. */
const UPDATE_EVERY_MS = 200;
const MANY_UPDATE_EVERY_MS = 2_000;
const MANY_CELLS = 5_000;

const bold = (text: string) => <strong>{text}</strong>;

/** What is selected: how many cells, their sum and average, and what is missing of them. */
export function RangeStatus({ grid }: { grid: GridController }) {
  const { size, statistics } = useRangeStatus(grid);
  const isMany = size.cells + size.left > 1;
  useEffect(() => {
    if (isMany) announce(messages.cells({ count: size.cells }));
  }, [isMany, size.cells]);
  if (!isMany) return null;
  return (
    <span className={classes.range}>
      <span data-testid="range">{messages.cells({ count: size.cells })}</span>
      {size.left > 0 && (
        <span className={classes.displaced}>{messages.cellsLeft({ count: size.left })}</span>
      )}
      {size.unread > 0 && <span>{messages.rowsUnread({ count: size.unread })}</span>}
      {statistics && <Numbers {...statistics} />}
    </span>
  );
}

function Numbers({ count, numbers }: Statistics) {
  const filled = (
    <span>{richText(messages.filledCount({ count: formatCount(count) }), { b: bold })}</span>
  );
  if (!numbers) return filled;
  const { field } = numbers;
  return (
    <>
      <span>{richText(messages.sum({ value: formatValue(field, numbers.sum) }), { b: bold })}</span>
      <span>
        {richText(messages.average({ value: averageText(field, numbers.average) }), { b: bold })}
      </span>
      <span>
        {richText(messages.minimum({ value: formatValue(field, numbers.minimum) }), { b: bold })}
      </span>
      <span>
        {richText(messages.maximum({ value: formatValue(field, numbers.maximum) }), { b: bold })}
      </span>
      {filled}
    </>
  );
}

interface RangeStatusValues {
  size: RangeSize;
  statistics: Statistics | null;
}

function useRangeStatus(grid: GridController): RangeStatusValues {
  const [status, setStatus] = useState(() => statusOf(grid));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const update = () => {
      timer = null;
      setStatus(statusOf(grid));
    };
    update();
    const unsubscribe = grid.range.onChange((change) => {
      const isLarge = change === "values" && grid.range.size.cells > MANY_CELLS;
      timer ??= setTimeout(update, isLarge ? MANY_UPDATE_EVERY_MS : UPDATE_EVERY_MS);
    });
    return () => {
      unsubscribe();
      if (timer) clearTimeout(timer);
    };
  }, [grid]);
  return status;
}

function statusOf(grid: GridController): RangeStatusValues {
  const { size, isShown, parts } = grid.range;
  if (!isShown || size.unread > 0) return { size, statistics: null };
  const cells = cellsOf(grid, parts).flatMap(({ record, field }) => {
    const definition = grid.fields.get(field);
    return definition ? [{ record, field: definition }] : [];
  });
  // A cell may be in several ranges.
  return { size: { ...size, cells: cells.length }, statistics: statisticsOf(cells) };
}
