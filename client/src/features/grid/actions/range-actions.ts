import type { Json } from "../../../../../shared/filter/filter.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import type { RecordView } from "../../../state/record-view.ts";
import type { GridController } from "../grid-controller.ts";
import type { RangePart } from "../range/range-part.ts";
import { readParts, recordsOf } from "../range/read-parts.ts";
import { recordInRow } from "../range/row-map.ts";
import { type CellValue, editCells } from "./edit-cells.ts";
import { copiedValue, writePasted } from "./write-pasted.ts";

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

/** The cells of parts, each once. */
export function cellsOf(
  grid: GridController,
  parts: readonly RangePart[],
): Omit<CellValue, "value">[] {
  const cells = new Map<string, Omit<CellValue, "value">>();
  for (const part of parts) {
    for (const record of recordsOf(grid, part)) {
      for (const field of part.fields) cells.set(`${record.id}\n${field}`, { record, field });
    }
  }
  return [...cells.values()];
}

/**
 * Fills the range down from its first rows, repeatedly. A single row takes the values of the one above it, as Ctrl-D does
 * in spreadsheets.
 */
export async function fillDown(grid: GridController, sourceRows = 1): Promise<void> {
  const part = grid.range.parts.at(-1);
  if (!part) return;
  await withParts(grid, [part], () => {
    const records = recordsOf(grid, part);
    const above = recordInRow(grid, (grid.range.range?.anchor.row ?? 0) - 1);
    const sources = records.length > 1 ? records.splice(0, sourceRows) : [above];
    const cells = records.flatMap((record, at) => {
      const source = sources[at % sources.length];
      if (!source) return [];
      return part.fields.map((field) => ({ record, field, value: source.values[field] ?? null }));
    });
    editCells(grid, cells, { done: messages.filled });
  });
}

/**
 * Fills the range to the right from its first columns, repeatedly; a single column takes the values of the one before it.
 */
export async function fillRight(grid: GridController, sourceColumns = 1): Promise<void> {
  const part = grid.range.parts.at(-1);
  if (!part) return;
  const first = grid.columns.indexOf(part.fields[0] ?? "");
  const before = grid.columns.slice(Math.max(0, first - 1), first);
  const from = part.fields.length > 1 ? part.fields.slice(0, sourceColumns) : before;
  const sources = from.flatMap((name) => grid.fields.get(name) ?? []);
  const fields = part.fields.filter((field) => !from.includes(field));
  await withParts(grid, [part], async () => {
    const targets = recordsOf(grid, part).flatMap((record) => {
      const values = sources.map((source) =>
        copiedValue(grid, source, record.values[source.name] ?? null),
      );
      return fields.flatMap((field, at) => {
        const value = values[at % values.length];
        return value ? [{ record, field, ...value }] : [];
      });
    });
    await writePasted(grid, targets, { done: messages.filled });
  });
}

/** Writes one value, as typed in a field, into every cell of the range. */
export async function fillWith(grid: GridController, field: Field, value: Json): Promise<void> {
  const { parts } = grid.range;
  const copied = copiedValue(grid, field, value);
  await withParts(grid, parts, () =>
    writePasted(
      grid,
      cellsOf(grid, parts).map((cell) => ({ ...cell, ...copied })),
      { done: messages.filled },
    ),
  );
}
