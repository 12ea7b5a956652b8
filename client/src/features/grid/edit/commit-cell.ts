import type { Json } from "../../../../../shared/filter/filter.ts";
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

/** The value that was saved in a cell, if it was the last edit in this grid. */
export function lastCommitted(
  grid: GridController,
  record: string,
  field: string,
): Json | undefined {
  const { lastCommit } = grid;
  return lastCommit?.cell === cellKey(grid, record, field) ? lastCommit.value : undefined;
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
  grid.lastCommit = { cell: cellKey(grid, edit.record, name), value };
  core.edits.edit(table.name, {
    record: edit.record,
    set: { [name]: value },
    base: { [name]: base },
  });
}
