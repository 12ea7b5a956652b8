import type { Values } from "../../../../../shared/model/model.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { toastFailure } from "../../../ui/toast.tsx";
import { type PastedCell, readClipboard } from "../clipboard/clipboard-cells.ts";
import type { ExactValue } from "../clipboard/exact-value.ts";
import { withLastCopy } from "../clipboard/last-copy.ts";
import type { GridController } from "../grid-controller.ts";
import { valuesBelow } from "../groups/add-to-group.ts";
import { boundsOf, type Cell, type CellRange } from "../range/cell-range.ts";
import type { RangePart } from "../range/range-part.ts";
import { recordsOf } from "../range/read-parts.ts";
import { isNewRow, rowCount } from "../range/row-map.ts";
import { addSkip, type Skipped } from "./edit-cells.ts";
import { withParts } from "./range-actions.ts";
import { firstToFill } from "./record-actions.ts";
import { type PastedTarget, writePasted } from "./write-pasted.ts";

interface Pasted {
  cell: PastedCell;
  exact: ExactValue | null;
}

/** Copied cells, and the part of the range that they go into. Rows that it does not have are new records. */
interface PartPaste {
  part: RangePart;
  fields: readonly string[];
  placements: Iterable<Placement<Pasted>>;
  /** What new records begin with, if not with what the view asks of them. */
  initial?: Values;
}

/**
 * Pastes the clipboard into the range, as one undoable step. Several ranges are filled, each with the whole block; where it does not
 * fit one of them, nothing is pasted: it would go over cells that are not selected.
 */
export async function pasteRange(
  grid: GridController,
  clipboard: Pick<DataTransfer, "getData">,
): Promise<void> {
  const block = readBlock(grid, clipboard);
  if (block.length === 0) return;
  const { range, parts, size } = grid.range;
  const plans = parts.map((part) => {
    const plan = planPaste(block, { rows: part.rowCount, columns: part.fields.length });
    return { part, fields: part.fields, ...plan };
  });
  const [first, ...others] = plans;
  const isOne = others.length === 0;
  if (!first || size.rows === 0 || (isOne && !range)) toastFailure(messages.nothingSelected());
  else if (plans.every(({ fills }) => fills)) await pasteInto(grid, plans);
  else if (isOne && range) await pasteFrom(grid, range, first);
  else toastFailure(messages.rangesDontFit());
}

/**
 * Pastes a block from the top left corner of the range, beyond its last row or column, and selects where it goes. Below a new record it makes
 * further new records: the rows there are other ones, which the user did not select.
 */
async function pasteFrom(
  grid: GridController,
  range: CellRange,
  { part, placements, ...size }: PartPaste & { rows: number; columns: number },
): Promise<void> {
  const { top, bottom, left } = boundsOf(range);
  const isNew = isNewRow(grid, top);
  const rows = isNew ? Math.min(size.rows, part.rowCount) : size.rows;
  const hasItsRows = rows === part.rowCount;
  const fields = size.columns === part.fields.length ? part.fields : grid.columns.slice(left);
  part.hold();
  try {
    // Records that have moved apart can't be selected with further columns.
    const isTogether = bottom - top + 1 === part.rowCount;
    if (isTogether || !hasItsRows)
      selectArea(grid, { row: top, column: left }, { rows, columns: size.columns });
    const into = hasItsRows ? part : grid.range.parts[0];
    const initial = isNew ? { initial: valuesBelow(grid, top) } : {};
    if (into) await pasteInto(grid, [{ part: into, fields, placements, ...initial }]);
  } finally {
    grid.range.release(part);
  }
}

/** Writes into the records that are in the parts now, wherever they are by the time that all are read. */
async function pasteInto(grid: GridController, pastes: readonly PartPaste[]): Promise<void> {
  const parts = pastes.map(({ part }) => part);
  const rows = parts.map(({ rowCount: count }) => count);
  await withParts(grid, parts, () => {
    if (parts.some((part, at) => recordsOf(grid, part).length !== rows[at])) {
      toastFailure(messages.rowsMoved());
      return;
    }
    const read = pastes.map((paste) => targetsOf(grid, paste));
    const skipped = read.flatMap((one) => one.skipped);
    // A cell may be in several parts.
    const cells = new Map(
      read.flatMap(({ targets }) => targets.map((target) => [cellOf(target), target])),
    );
    const [{ initial } = {}] = pastes;
    const writing = {
      ...{ done: messages.pasted, skipped, origin: "paste" as const },
      ...(initial && { initial }),
    };
    return writePasted(grid, [...cells.values()], writing);
  });
}

function cellOf({ record, field }: PastedTarget): string {
  return JSON.stringify(["newRow" in record ? record.newRow : record.id, field]);
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
  { part, fields, placements }: PartPaste,
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

/** A copied cell of a block, and its place from the top left corner of where the block goes. */
interface Placement<Item> {
  row: number;
  column: number;
  item: Item;
}

interface Plan<Item> {
  /** Made one by one: of a selection that is too large for an action, none is. */
  placements: Iterable<Placement<Item>>;
  rows: number;
  columns: number;
  /** The block fills the selection, once or repeatedly. Otherwise it goes in from the top left corner, and beyond the selection. */
  fills: boolean;
}

/**
 * Computes where each cell of a block goes. A block whose size divides the selection is repeated to fill it, as in
 * spreadsheets: one copied value fills the whole selection, and one copied row goes into each of the rows where fewer columns are selected.
 */
export function planPaste<Item>(
  cells: readonly (readonly Item[])[],
  selected: { rows: number; columns: number },
): Plan<Item> {
  const height = cells.length;
  const width = cells.reduce((widest, row) => Math.max(widest, row.length), 0);
  if (height === 0 || width === 0) return { placements: [], rows: 0, columns: 0, fills: false };
  const fillsRows = selected.rows % height === 0;
  const fillsColumns = selected.columns % width === 0;
  const fills = fillsRows && fillsColumns;
  const rows = fillsRows && (fillsColumns || selected.columns < width) ? selected.rows : height;
  const columns = fillsColumns && (fillsRows || selected.rows < height) ? selected.columns : width;
  return { placements: placementsOf(cells, { rows, columns, width }), rows, columns, fills };
}

function* placementsOf<Item>(
  cells: readonly (readonly Item[])[],
  { rows, columns, width }: { rows: number; columns: number; width: number },
): Generator<Placement<Item>> {
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const item = cells[row % cells.length]?.[column % width];
      if (item !== undefined) yield { row, column, item };
    }
  }
}
