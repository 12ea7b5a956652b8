import type { Values } from "../../../../../shared/model/model.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { toastFailure } from "../../../ui/toast.tsx";
import { type PastedCell, readClipboard } from "../clipboard/clipboard-cells.ts";
import type { ExactValue } from "../clipboard/exact-value.ts";
import { withLastCopy } from "../clipboard/last-copy.ts";
import type { GridController } from "../grid-controller.ts";
import type { Cell } from "../range/cell-range.ts";
import { type Placement, planPaste } from "../range/paste-plan.ts";
import type { RangePart } from "../range/range-part.ts";
import { recordsOf } from "../range/read-parts.ts";
import { rowCount } from "../range/row-map.ts";
import { addSkip, type Skipped } from "./edit-cells.ts";
import { withParts } from "./range-actions.ts";
import { firstToFill } from "./record-actions.ts";
import { type PastedTarget, writePasted } from "./write-pasted.ts";

interface Pasted {
  cell: PastedCell;
  exact: ExactValue | null;
}

/**
 * Pastes the clipboard into the range, as one undoable step. The records are those that are in the rows now, wherever they
 * are by the time that all are read. Rows beyond the last one become new records, in a draft.
 */
export async function pasteRange(
  grid: GridController,
  clipboard: Pick<DataTransfer, "getData">,
): Promise<void> {
  const { range } = grid.range;
  const selected = grid.range.parts.at(-1);
  const block = readBlock(grid, clipboard);
  if (block.length === 0) return;
  if (!selected || !range) {
    toastFailure(messages.nothingSelected());
    return;
  }
  const plan = planPaste(block, { rows: selected.rowCount, columns: selected.fields.length });
  const corner = {
    row: Math.min(range.anchor.row, range.head.row),
    column: Math.min(range.anchor.column, range.head.column),
  };
  if (!plan.fills) selectArea(grid, corner, plan);
  const part = grid.range.parts.at(-1);
  if (!part) return;
  const rows = part.rowCount;
  await withParts(grid, [part], () => {
    if (recordsOf(grid, part).length !== rows) {
      toastFailure(messages.rowsMoved());
      return;
    }
    const fields = plan.fills ? part.fields : grid.columns.slice(corner.column);
    const { targets, skipped } = targetsOf(grid, plan.placements, { part, fields });
    return writePasted(grid, targets, { done: messages.pasted, skipped, origin: "paste" });
  });
}

/** Pastes rows as new records that begin with these values, in a draft. */
export async function pasteNew(
  grid: GridController,
  clipboard: Pick<DataTransfer, "getData">,
  initial: Values,
): Promise<void> {
  const first = grid.columns.indexOf(firstToFill(grid, initial) ?? "");
  const skipped: Skipped[] = [];
  const targets = readBlock(grid, clipboard).flatMap((cells, row) =>
    cells.flatMap((item, column): PastedTarget[] => {
      const field = grid.columns[first + column];
      if (field === undefined) addSkip(skipped, messages.outsideTable());
      return field === undefined ? [] : [{ record: { newRow: row }, field, ...item }];
    }),
  );
  await writePasted(grid, targets, { done: messages.pasted, skipped, origin: "paste", initial });
}

/** Selects the rows and columns of the table that a block will be written to. */
function selectArea(
  grid: GridController,
  { row, column }: Cell,
  { rows, columns }: { rows: number; columns: number },
): void {
  const head = {
    row: Math.min(row + rows, rowCount(grid)) - 1,
    column: Math.min(column + columns, grid.columns.length) - 1,
  };
  grid.range.select({ anchor: { row, column }, head });
}

/** What goes where; what has no place in the table is skipped. */
function targetsOf(
  grid: GridController,
  placements: Iterable<Placement<Pasted>>,
  { part, fields }: { part: RangePart; fields: readonly string[] },
): { targets: PastedTarget[]; skipped: Skipped[] } {
  const records = recordsOf(grid, part);
  const skipped: Skipped[] = [];
  const targets: PastedTarget[] = [];
  for (const { row, column, item } of placements) {
    const field = fields[column];
    const record = records[row] ?? (grid.abilities.create ? { newRow: row } : null);
    if (field === undefined) addSkip(skipped, messages.outsideTable());
    else if (!record) addSkip(skipped, messages.noNewRecords());
    else targets.push({ record, field, ...item });
  }
  return { targets, skipped };
}

function readBlock({ core }: GridController, clipboard: Pick<DataTransfer, "getData">): Pasted[][] {
  const { rows, exact } = readClipboard(withLastCopy(core, clipboard));
  return rows.map((row, y) =>
    row.map((cell, x) => {
      const type = exact?.types[x];
      const value = exact?.rows[y]?.[x];
      const isKnown = type !== undefined && value !== undefined;
      return { cell, exact: isKnown ? { type, value } : null };
    }),
  );
}
