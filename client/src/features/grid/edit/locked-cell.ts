import type { Field } from "../../../../../shared/model/model.ts";
import { fieldMessages as messages } from "../../../messages/en/fields.ts";
import { showLockedText } from "../../../records/fields/field-edit.ts";
import { readOnlyReason } from "../../../records/fields/read-only-reason.ts";
import type { RecordView } from "../../../state/record-view.ts";
import type { GridController } from "../grid-controller.ts";
import { recordInRow } from "../range/row-map.ts";
import { focusedCell } from "../rows/grid-focus.ts";

/** Why the user can't edit a cell, or null if they can try. A conflict has to be resolved before. */
export function lockedCellReason(
  grid: GridController,
  field: Field,
  record: RecordView,
): string | null {
  if (record.cells[field.name]?.kind === "conflict") {
    return messages.conflictFirst({ field: field.label });
  }
  return readOnlyReason(grid.table, field, grid.abilities, record);
}

/** Says why the cell with the focus is read-only, if it is. Answers whether it is. */
export function showReadOnly(grid: GridController): boolean {
  const cell = focusedCell(grid);
  const record = cell && recordInRow(grid, cell.row);
  const field = cell && grid.fields.get(cell.field);
  const reason = record && field ? lockedCellReason(grid, field, record) : null;
  if (reason !== null) showLockedText(reason, false);
  return reason !== null;
}

/**
 * Opens an input for text that is typed into a locked cell. It becomes an unsaved text, and Enter leads on, so that a
 * series that is typed down a column meets a locked record without losing its place. Users who can edit nothing in the
 * table get the reason only. Returns whether the input was opened.
 */
export function typeIntoLocked(grid: GridController, key: string): boolean {
  const at = grid.api.getFocusedCell();
  const cell = focusedCell(grid);
  const record = cell && recordInRow(grid, cell.row);
  const field = cell && grid.fields.get(cell.field);
  if (!at || !record || !field || grid.editors.isOpen) return false;
  const { ended } = grid.editors;
  const isEnded = ended?.record === record.id && ended.field === field.name;
  const reason = lockedCellReason(grid, field, record) ?? (isEnded ? messages.lastRow() : null);
  if (reason === null) return false;
  const isStored = grid.abilities.update.length > 0;
  showLockedText(reason, isStored);
  if (!isStored) return false;
  grid.editors.locked = { record: record.id, field: field.name, reason };
  const { rowIndex, column, rowPinned } = at;
  grid.api.startEditingCell({ rowIndex, rowPinned: rowPinned ?? null, colKey: column, key });
  return true;
}
