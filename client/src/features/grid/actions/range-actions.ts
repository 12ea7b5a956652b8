import type { Json } from "../../../../../shared/filter/filter.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import type { RecordView } from "../../../state/record-view.ts";
import type { GridController } from "../grid-controller.ts";
import type { RangePart } from "../range/range-part.ts";
import { readParts, recordsOf } from "../range/read-parts.ts";
import { recordInRow, rowOfRecord } from "../range/row-map.ts";
import { addSkip, type CellValue, editCells, type Skipped } from "./edit-cells.ts";
import { seriesOf } from "./fill-series.ts";
import { deleteRecords } from "./record-actions.ts";
import { copiedValue, type PastedTarget, writePasted } from "./write-pasted.ts";

/**
 * Runs an action on the selected parts once all their rows are read. They hold the records that were selected when it
 * began, wherever these are by then.
 */
export async function withParts(
  grid: GridController,
  parts: readonly RangePart[],
  run: () => Promise<void> | void,
): Promise<void> {
  for (const part of parts) part.hold();
  try {
    if (await readParts(grid, parts)) await run();
  } finally {
    for (const part of parts) grid.range.release(part);
  }
}

/** Runs an action on the records of the range, each once, when all are read. */
export async function recordsInRange(
  grid: GridController,
  run: (records: readonly RecordView[]) => Promise<void>,
): Promise<void> {
  const { parts } = grid.range;
  await withParts(grid, parts, () => {
    const records = parts.flatMap((part) => recordsOf(grid, part));
    return run([...new Map(records.map((record) => [record.id, record])).values()]);
  });
}

/** Deletes the records of the range. */
export function deleteInRange(grid: GridController): Promise<void> {
  return recordsInRange(grid, (records) =>
    deleteRecords(
      grid,
      records.map(({ id }) => id),
    ),
  );
}

/** Clears every writable cell of the range. */
export async function clearRange(grid: GridController): Promise<void> {
  const { parts } = grid.range;
  await withParts(grid, parts, () => clearCells(grid, cellsOf(grid, parts)));
}

/** Clears these cells. */
export function clearCells(grid: GridController, cells: readonly Omit<CellValue, "value">[]): void {
  const empty = cells.map((cell) => ({ ...cell, value: null }));
  editCells(grid, empty, { done: messages.cleared });
}

/** The cells of parts, each once; of other fields than theirs if `fields` names them. */
export function cellsOf(
  grid: GridController,
  parts: readonly RangePart[],
  fields?: readonly string[],
): Omit<CellValue, "value">[] {
  const cells = new Map<string, Omit<CellValue, "value">>();
  for (const part of parts) {
    for (const record of recordsOf(grid, part)) {
      for (const field of fields ?? part.fields)
        cells.set(`${record.id}\n${field}`, { record, field });
    }
  }
  return [...cells.values()];
}

/** From which rows or columns of a range the others are filled. */
interface FillFrom {
  /** How many of the first, or with `isBack` of the last. */
  count: number;
  /** Upwards, or to the left. */
  isBack: boolean;
}

const fromFirst: FillFrom = { count: 1, isBack: false };

/**
 * Fills each part of the range down from its first rows, or up from its last: several go on as a series where they are one, and are repeated otherwise. A single row takes the values of the one above it, as Ctrl-D does
 * in spreadsheets. A deleted row has no values to fill from.
 */
export async function fillRows(grid: GridController, from = fromFirst): Promise<void> {
  const { parts } = grid.range;
  await withParts(grid, parts, () => {
    const skipped: Skipped[] = [];
    const cells = parts.flatMap((part) => cellsInRows(grid, part, from, skipped));
    editCells(grid, cells, { done: messages.filled, skipped });
  });
}

function cellsInRows(
  grid: GridController,
  part: RangePart,
  { count, isBack }: FillFrom,
  skipped: Skipped[],
): CellValue[] {
  const slots = isBack ? part.slots.toReversed() : part.slots;
  const records = slots.map((id) => (id === null ? undefined : grid.rowList.get(id)));
  const isOneRow = part.rowCount + part.left === 1;
  const above = rowOfRecord(grid, records[0]?.id ?? "") - 1;
  const sources = isOneRow ? [recordInRow(grid, above)] : records.splice(0, count);
  const series = new Map(part.fields.map((name) => [name, seriesIn(grid, name, sources)]));
  return records.flatMap((record, at) => {
    const source = sources[at % sources.length];
    const isGone = source ? source.mark === "deleted" : !isOneRow;
    if (isGone) addSkip(skipped, messages.fillRowGone(), part.fields.length);
    if (!record || !source || isGone) return [];
    return part.fields.flatMap((field) => {
      const next = series.get(field);
      const value = next ? next(at + 1) : (source.values[field] ?? null);
      if (!next || value !== null) return [{ record, field, value }];
      addSkip(skipped, messages.seriesEnds());
      return [];
    });
  });
}

/** How the values of a field in these rows go on; null where they are repeated. */
function seriesIn(
  { fields }: GridController,
  name: string,
  sources: readonly (RecordView | undefined)[],
): ReturnType<typeof seriesOf> {
  const field = fields.get(name);
  const isWhole = sources.every((source) => source && source.mark !== "deleted");
  const values = sources.map((source) => source?.values[name] ?? null);
  return field && isWhole ? seriesOf(field, values) : null;
}

/**
 * Fills each part of the range to the right from its first columns, or to the left from its last, repeatedly; a single column takes the values of the one
 * before it.
 */
export async function fillColumns(grid: GridController, from = fromFirst): Promise<void> {
  const { parts } = grid.range;
  await withParts(grid, parts, () => {
    const targets = parts.flatMap((part) => targetsInColumns(grid, part, from));
    return writePasted(grid, targets, { done: messages.filled });
  });
}

function targetsInColumns(
  grid: GridController,
  part: RangePart,
  { count, isBack }: FillFrom,
): PastedTarget[] {
  const columns = isBack ? part.fields.toReversed() : part.fields;
  const first = grid.columns.indexOf(columns[0] ?? "");
  const before = grid.columns.slice(Math.max(0, first - 1), first);
  const from = columns.length > 1 ? columns.slice(0, count) : before;
  const sources = from.flatMap((name) => grid.fields.get(name) ?? []);
  const fields = columns.filter((field) => !from.includes(field));
  return recordsOf(grid, part).flatMap((record) => {
    const values = sources.map((source) =>
      copiedValue(grid, source, record.values[source.name] ?? null),
    );
    return fields.flatMap((field, at) => {
      const value = values[at % values.length];
      return value ? [{ record, field, ...value }] : [];
    });
  });
}

/**
 * Writes one value, as typed in the editor of a cell, into every cell of the range, or of these parts. Like any edit, that of the cell itself
 * is based on the value that the user saw when they began.
 */
export async function fillWith(
  grid: GridController,
  { record, field, base }: { record: string; field: Field; base: Json },
  value: Json,
  parts = grid.range.parts,
): Promise<void> {
  const edited = `${grid.core.edits.currentId(grid.table.name, record)}\n${field.name}`;
  const copied = copiedValue(grid, field, value);
  await withParts(grid, parts, () => {
    const targets = cellsOf(grid, parts).map((cell) => {
      const isEdited = `${cell.record.id}\n${cell.field}` === edited;
      return { ...cell, ...copied, ...(isEdited && { base }) };
    });
    return writePasted(grid, targets, { done: messages.filled });
  });
}
