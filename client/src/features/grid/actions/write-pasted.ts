import type { Json } from "../../../../../shared/filter/filter.ts";
import { isReference } from "../../../../../shared/model/field-types.ts";
import type { Field, Values } from "../../../../../shared/model/model.ts";
import { isReadOnly } from "../../../../../shared/model/recorded.ts";
import { fieldMessages } from "../../../messages/en/fields.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { lookUp, namedSoFar } from "../../../records/fields/field-edit.ts";
import type { Parsed } from "../../../records/fields/typed-text.ts";
import { inputText } from "../../../records/fields/typed-text.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { problemText } from "../../../ui/problem-text.ts";
import type { PastedCell } from "../clipboard/clipboard-cells.ts";
import { columnReader } from "../clipboard/column-reader.ts";
import { type ExactValue, exactType, readExactValue } from "../clipboard/exact-value.ts";
import type { UnreadableText } from "../clipboard/unreadable-cells.ts";
import type { GridController } from "../grid-controller.ts";
import { addSkip, type CellValue, editCells, type Skipped, type Writing } from "./edit-cells.ts";
import { newValues } from "./record-actions.ts";

/** As many texts of deleted records are listed. Who pastes more has them in a file, and the notice says how many are left out. */
const LISTED_MAX = 200;

/** A copied cell, and where it goes: into a record, or into a new one. */
export interface PastedTarget {
  record: RecordView | { newRow: number };
  field: string;
  cell: PastedCell;
  /** The value itself, if it was copied in the product. */
  exact: ExactValue | null;
  base?: Json | undefined;
}

/** A value as it is copied: its text for spreadsheets, and itself. */
export function copiedValue({ labels }: GridController, field: Field, value: Json) {
  const text = inputText(field, value, (of, id) => labels.labelOf(of, id));
  const exact: ExactValue = { type: exactType(field), value };
  return { cell: { text }, exact };
}

/**
 * Reads each cell by the type of its field and writes what can be read, as one step. What can't be read or written is
 * left out, and reported with the reason; `skipped` is what the caller has left out already, `initial` what new records begin
 * with. What is pasted into a record that somebody has deleted is listed as unsaved, like a text that is typed there: the author could
 * not see it coming, and the row will not be there to paste into again.
 */
export async function writePasted(
  grid: GridController,
  targets: readonly PastedTarget[],
  { done, skipped = [], origin = "grid", initial }: Omit<Writing, "created"> & { initial?: Values },
): Promise<void> {
  const namedBefore = namedSoFar();
  const table = grid.table.name;
  const places = targets.map(({ record, field }) =>
    "newRow" in record ? null : { table, record: record.id, field },
  );
  const stored = places.filter((place) => place !== null);
  const release = holdPasted(grid, targets);
  await lookUp({ table, places: stored }, async (isLast) => {
    const read = await pastedReader(grid, targets).finally(release);
    // What was typed into a cell while its text was looked up has replaced it.
    const isCurrent = places.map((place) => place === null || isLast(place));
    writeRead(
      grid,
      targets.filter((_, at) => isCurrent[at]),
      read,
      { done, skipped, origin, namedBefore, ...(initial && { initial }) },
    );
  });
}

/** Writes what could be read, and reports the rest. */
function writeRead(
  grid: GridController,
  targets: readonly PastedTarget[],
  read: (target: PastedTarget) => Parsed,
  {
    done,
    skipped = [],
    origin,
    initial,
    namedBefore,
  }: Omit<Writing, "created"> & { initial?: Values },
): void {
  const cells: CellValue[] = [];
  let listed = 0;
  const created = new Map<number, Values>();
  const unreadable: ({ record: RecordView; field: string } & UnreadableText)[] = [];
  for (const target of targets) {
    const { record, field, base } = target;
    if (origin === "paste" && !("newRow" in record) && record.mark === "deleted") {
      addSkip(skipped, fieldMessages.recordDeleted());
      if (listed < LISTED_MAX) listPasted(grid, record, target);
      listed += 1;
      continue;
    }
    const parsed = read(target);
    if (!parsed.ok) {
      addSkip(skipped, parsed.message);
      const { text } = target.cell;
      if (!("newRow" in record)) unreadable.push({ record, field, text, reason: parsed.message });
    } else if (!("newRow" in record)) cells.push({ record, field, value: parsed.value, base });
    else addCreated(grid, { created, skipped, initial }, { row: record.newRow, field, parsed });
  }
  grid.unreadable.set(unreadable);
  const all = [...created.values()];
  const createdCells = targets.filter(({ record, cell }) => "newRow" in record && cell.text !== "");
  const count = createdCells.length;
  editCells(grid, cells, {
    ...{ done, skipped, origin },
    created: all,
    createdCells: count,
    namedBefore,
  });
}

/**
 * Holds the first texts while it is looked up what they name. Otherwise the next new record would take the place of one that nothing but a
 * paste has begun. The returned function ends that.
 */
function holdPasted(
  { core, table, fields }: GridController,
  targets: readonly PastedTarget[],
): () => void {
  const releases = targets.slice(0, LISTED_MAX).flatMap(({ record, field, cell }) => {
    if ("newRow" in record || cell.text === "") return [];
    const label = `${table.label} · ${fields.get(field)?.label ?? field}`;
    return [
      core.texts.holdPasted({ table: table.name, record: record.id, field }, cell.text, label),
    ];
  });
  return () => {
    for (const release of releases) release();
  };
}

/** Lists a pasted text as unsaved, because its record is gone. */
function listPasted(
  { core, fields, table }: GridController,
  record: RecordView,
  { field, cell: { text } }: PastedTarget,
): void {
  const reason = fieldMessages.recordDeleted();
  const place = { table: table.name, record: record.id, field };
  const label = `${table.label} · ${fields.get(field)?.label ?? field}`;
  core.texts.add({ ...place, text, label, reason });
}

/** A value of a new record; empty ones are left to the defaults of the table. */
function addCreated(
  grid: GridController,
  {
    created,
    skipped,
    initial = newValues(grid),
  }: { created: Map<number, Values>; skipped: Skipped[]; initial: Values | undefined },
  { row, field, parsed }: { row: number; field: string; parsed: { value: Json } },
): void {
  const definition = grid.fields.get(field);
  if (parsed.value === null || !definition) return;
  if (isReadOnly(definition) || !grid.abilities.update.includes(field)) {
    addSkip(skipped, messages.notForNew({ field: definition.label }));
    return;
  }
  created.set(row, { ...(created.get(row) ?? initial), [field]: parsed.value });
}

/** Parses cells by the type of their column, and links by the labels of their targets. */
async function pastedReader(
  grid: GridController,
  targets: readonly PastedTarget[],
): Promise<(target: PastedTarget) => Parsed> {
  const columns = Map.groupBy(targets, ({ field }) => field);
  const readers = new Map<string, (target: PastedTarget) => Parsed>();
  for (const [name, of] of columns) {
    const field = grid.fields.get(name);
    if (!field) continue;
    const cells = of.filter(({ exact }) => !readExactValue(field, exact)).map(({ cell }) => cell);
    const read = isReference(field.type)
      ? await targetReader(grid, field, cells)
      : columnReader(field, cells);
    readers.set(name, ({ exact, cell }) => readExactValue(field, exact) ?? read(cell));
  }
  return (target) =>
    readers.get(target.field)?.(target) ?? { ok: false, message: messages.noColumn() };
}

/** Reads links and users by their labels. A label that several have is refused. */
async function targetReader(
  { labels }: GridController,
  field: Field,
  cells: readonly PastedCell[],
): Promise<(cell: PastedCell) => Parsed> {
  const texts = new Set(cells.map(({ text }) => text.trim()).filter(Boolean));
  let failure: string | null = null;
  const found = await labels.resolve(field, [...texts]).catch((error: unknown) => {
    failure = problemText(error);
    return new Map<string, string[]>();
  });
  const empty = columnReader(field, []);
  return (cell) => {
    const text = cell.text.trim();
    if (text === "") return empty(cell);
    const [id, ...others] = found.get(text) ?? [];
    if (id === undefined) {
      return { ok: false, message: failure ?? messages.noTarget({ text }) };
    }
    if (others.length > 0) return { ok: false, message: messages.manyTargets({ text }) };
    return { ok: true, value: id };
  };
}
