import type { Json } from "../../../../../shared/filter/filter.ts";
import type { Desk } from "../desk.ts";

/** Where an edit goes and what the person saw there when they began. */
export interface CellEdit {
  record: string;
  field: { name: string };
  base: Json;
}

/**
 * Hands one cell's edit to sync. A value that was refused before is put away first: the new one is
 * based on what stands in the table.
 */
export function commitCell({ core, table, window }: Desk, edit: CellEdit, value: Json): void {
  const { name } = edit.field;
  const state = window.get(edit.record)?.cells[name];
  let { base } = edit;
  if (state?.kind === "rejected") {
    core.edits.drop(state.edit, name);
    base = window.get(edit.record)?.values[name] ?? null;
  }
  core.edits.edit(table.name, {
    record: edit.record,
    set: { [name]: value },
    base: { [name]: base },
  });
}
