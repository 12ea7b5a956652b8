import { findMessages as messages } from "../../../messages/en/find.ts";
import { toast, toastFailure } from "../../../ui/toast.tsx";
import { addSkip, type CellValue, type Skipped } from "../actions/edit-cells.ts";
import { cellsOf, withParts } from "../actions/range-actions.ts";
import { type PastedTarget, writePasted } from "../actions/write-pasted.ts";
import { lockedCellReason } from "../edit/locked-cell.ts";
import type { GridController } from "../grid-controller.ts";
import { RANGE_MAX_ROWS } from "../range/read-parts.ts";
import { rowCount } from "../range/row-map.ts";
import { cellContains, loadLabels, replaceText } from "./match-cell.ts";

/** What is replaced, as `foldCase` has it, and by what. */
interface Replacing {
  needle: string;
  replacement: string;
}

/** Replaces the text in the cell of the current match, and goes to the next match. */
export async function replaceCurrent(grid: GridController, replacement: string): Promise<void> {
  const { current, needle } = grid.find;
  if (!current) return;
  const loading = grid.find.load(current);
  grid.find.step(1);
  const record = await loading;
  if (!record) toastFailure(messages.rowLeft());
  else await replaceIn(grid, [{ record, field: current.field }], { needle, replacement });
}

/**
 * Replaces the text in the selection, if that is more than a cell, and otherwise in all rows that are searched, as one step.
 * Rows that are not loaded are read first.
 */
export async function replaceAll(grid: GridController, replacement: string): Promise<void> {
  const { find, range } = grid;
  const { needle, columns } = find;
  if (needle === "" || rowCount(grid) === 0) return;
  const isSelection = range.isShown;
  const last = Math.min(rowCount(grid), RANGE_MAX_ROWS) - 1;
  const view = { anchor: { row: 0, column: 0 }, head: { row: last, column: grid.columns.length } };
  const parts = isSelection ? range.parts : [range.capture(view)];
  try {
    await withParts(grid, parts, async () => {
      const cells = cellsOf(grid, parts, isSelection ? undefined : columns);
      const records = new Set(cells.map(({ record }) => record));
      await loadLabels(grid, columns, [...records]);
      await replaceIn(grid, cells, { needle, replacement });
    });
  } finally {
    if (!isSelection) for (const part of parts) range.release(part);
  }
}

/** Writes the cells that contain the text as a paste does, and reports those that it can't write. */
async function replaceIn(
  grid: GridController,
  cells: readonly Omit<CellValue, "value">[],
  replacing: Replacing,
): Promise<void> {
  const labelOf = grid.labels.labelOf.bind(grid.labels);
  const skipped: Skipped[] = [];
  const targets: PastedTarget[] = [];
  for (const { record, field: name } of cells) {
    const field = grid.fields.get(name);
    const value = record.values[name] ?? null;
    if (!field || !cellContains(field, value, replacing.needle, labelOf)) continue;
    const text = replaceText(field, value, replacing, labelOf);
    const locked = lockedCellReason(grid, field, record);
    if (locked !== null) addSkip(skipped, locked);
    else if (text === null) addSkip(skipped, messages.wholeOnly({ field: field.label }));
    else targets.push({ record, field: name, cell: { text }, exact: null });
  }
  if (targets.length + skipped.length === 0) toast(messages.nothing());
  await writePasted(grid, targets, { done: messages.replaced, skipped });
}
