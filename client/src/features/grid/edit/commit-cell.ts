import type { Json } from "../../../../../shared/filter/filter.ts";
import { replaceNamed } from "../../../records/fields/edit-by-name.ts";
import type { GridController } from "../grid-controller.ts";

/** The target of an edit, and the value that the user saw when they began. */
interface CellEdit {
  record: string;
  field: { name: string };
  base: Json;
}

function cellKey(grid: GridController, record: string, field: string): string {
  return `${grid.core.edits.currentId(grid.table.name, record)}\n${field}`;
}

/** What was saved in a cell, if it was the last edit in this grid. */
export function lastCommitted(
  grid: GridController,
  record: string,
  field: string,
): GridController["lastCommit"] {
  const { lastCommit } = grid;
  return lastCommit?.cell === cellKey(grid, record, field) ? lastCommit : undefined;
}

/**
 * Submits the edit of one cell. A previously rejected value is dropped first, so that the new one is based on the stored
 * value.
 */
export function commitCell(grid: GridController, edit: CellEdit, value: Json): void {
  const { core, table, window } = grid;
  const { name } = edit.field;
  const state = window.get(edit.record)?.cells[name];
  let { base } = edit;
  if (state?.kind === "rejected") {
    core.edits.drop(state.edit, name);
    base = window.get(edit.record)?.values[name] ?? null;
  }
  replaceNamed({ table: table.name, record: edit.record, field: name });
  grid.lastCommit = { cell: cellKey(grid, edit.record, name), base, value };
  core.edits.edit(table.name, {
    record: edit.record,
    set: { [name]: value },
    base: { [name]: base },
  });
}
