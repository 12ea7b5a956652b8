import type { Json } from "../../../../../shared/filter/filter.ts";
import { replaceNamed } from "../../../records/fields/edit-by-name.ts";
import { isSameValue } from "../../../records/fields/same-value.ts";
import type { RecordView } from "../../../state/record-view.ts";
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

/** A value that was saved in a cell, and the one that it replaced. */
export interface Commit {
  base: Json;
  value: Json;
}

/** What was saved in a cell, if that was by the last edit in this grid. */
export function lastCommitted(
  grid: GridController,
  record: string,
  field: string,
): Commit | undefined {
  return grid.lastCommit.get(cellKey(grid, record, field));
}

/**
 * The value that an editor begins with: the one that the grid shows, or the user's own that was refused, to be corrected. What the
 * user has written there counts even if the grid has not drawn it yet: otherwise the value before would be one to go back to, and
 * typing that would change nothing.
 */
export function baseOf(grid: GridController, shown: RecordView, field: string): Json {
  const { values, confirmed, cells } = grid.window.get(shown.id) ?? shown;
  const state = cells[field];
  if (state?.kind === "rejected") return state.mine;
  const current = values[field] ?? null;
  const isPending = confirmed !== null && !isSameValue(confirmed[field] ?? null, current);
  const last = lastCommitted(grid, shown.id, field)?.value;
  const isMine = isPending || (last !== undefined && isSameValue(last, current));
  return isMine ? current : (shown.values[field] ?? null);
}

/**
 * Remembers what the edit that is made now saves, in one cell or many. It replaces what is still being looked up for these, if that had begun
 * before: `namedBefore` look-ups had.
 */
export function setLastCommit(
  grid: GridController,
  cells: readonly (Commit & { record: string; field: string })[],
  namedBefore?: number,
): void {
  for (const { record, field } of cells)
    replaceNamed({ table: grid.table.name, record, field }, namedBefore);
  grid.lastCommit = new Map(
    cells.map(({ record, field, base, value }) => [cellKey(grid, record, field), { base, value }]),
  );
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
  setLastCommit(grid, [{ record: edit.record, field: name, base, value }]);
  if (state?.kind === "rejected" && isSameValue(base, value)) return;
  core.edits.edit(table.name, {
    record: edit.record,
    set: { [name]: value },
    base: { [name]: base },
  });
}
