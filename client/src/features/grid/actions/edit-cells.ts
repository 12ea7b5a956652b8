import type { Json } from "../../../../../shared/filter/filter.ts";
import type { Values } from "../../../../../shared/model/model.ts";
import type { RecordView } from "../../../state/record-view.ts";
import type { RecordEdit } from "../../../sync/edits/pending-edits.ts";
import { readOnlyReason } from "../../../ui/fields/read-only-reason.ts";
import { isSameValue } from "../../../ui/fields/same-value.ts";
import { toast, toastFailure } from "../../../ui/toast.tsx";
import { runUndoStep } from "../../../ui/undo.ts";
import type { GridController } from "../grid-controller.ts";

/** A value on its way into one cell of a record that is on hand. */
export interface CellValue {
  record: RecordView;
  field: string;
  value: Json;
}

/** What was left out and why, for one sentence at the end. */
export interface Skipped {
  count: number;
  reason: string;
}

/**
 * Writes many cells as one undoable step: one edit per record, based on what the person saw. Cells
 * that may not be written, or hold the value already, are left out; the former are counted.
 */
export function editCells(grid: GridController, cells: readonly CellValue[], verb: string): void {
  const skipped: Skipped[] = [];
  const edits = new Map<string, RecordEdit>();
  let count = 0;
  for (const { record, field, value } of cells) {
    const definition = grid.fields.get(field);
    if (!definition) continue;
    const missing =
      definition.required && value === null ? `${definition.label} is required.` : null;
    const reason = readOnlyReason(grid.table, definition, grid.abilities, record) ?? missing;
    if (reason) addSkip(skipped, reason);
    else if (!isSameValue(record.values[field], value)) {
      const edit = edits.get(record.id) ?? { record: record.id, set: {}, base: {} };
      setCell(edit, field, value, record.values);
      edits.set(record.id, edit);
      count += 1;
    }
  }
  if (count > 0) void run(grid, [...edits.values()], count, verb);
  reportSkips(skipped);
}

function setCell(edit: RecordEdit, field: string, value: Json, base: Readonly<Values>): void {
  edit.set[field] = value;
  edit.base[field] = base[field] ?? null;
}

/** Few cells speak for themselves; of many, a person wants to be told, and to have a way back. */
async function run(
  grid: GridController,
  edits: RecordEdit[],
  cells: number,
  verb: string,
): Promise<void> {
  const { batch, outcomes } = grid.core.edits.editMany(grid.table.name, edits);
  const results = await outcomes;
  const wasRefused = (at: number) => results[at]?.kind === "refused";
  const refused = edits.filter((_, at) => wasRefused(at));
  const left = refused.reduce((sum, { set }) => sum + Object.keys(set).length, 0);
  if (cells - left > 1) {
    const undoBatch = () => void runUndoStep(grid.core.undo, "undo", { batch });
    toast(`${cells - left} cells ${verb}.`, undoBatch);
  }
  if (refused.length > 0 && edits.length > 1) {
    toastFailure(`${refused.length} of ${edits.length} records were refused. Their cells say why.`);
  }
}

/** Undoes or redoes one step and says what was left alone. */
export function undo(
  { core, table }: GridController,
  direction: "undo" | "redo" = "undo",
): Promise<void> {
  return runUndoStep(core.undo, direction, { table: table.name });
}

export function addSkip(skipped: Skipped[], reason: string): void {
  const known = skipped.find((skip) => skip.reason === reason);
  if (known) known.count += 1;
  else skipped.push({ count: 1, reason });
}

/** One message for everything that was left out; the most frequent reasons are named. */
export function reportSkips(skipped: readonly Skipped[]): void {
  if (skipped.length === 0) return;
  const total = skipped.reduce((sum, skip) => sum + skip.count, 0);
  const reasons = skipped.slice(0, 2).map((skip) => skip.reason);
  toastFailure(
    `${total} ${total === 1 ? "cell was" : "cells were"} left out. ${reasons.join(" ")}`,
  );
}
