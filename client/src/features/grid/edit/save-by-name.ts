import type { Json } from "../../../../../shared/filter/filter.ts";
import { editByName } from "../../../records/fields/edit-by-name.ts";
import { isSameValue } from "../../../records/fields/same-value.ts";
import type { GridController } from "../grid-controller.ts";
import { commitCell, lastCommitted } from "./commit-cell.ts";
import type { OpenEditor } from "./editor-host.ts";

/**
 * Saves in a cell what a text names, once that is known. Where it is nothing, the cell is marked. `save` is for the value of several
 * cells, which was typed in this one.
 */
export function saveByName(
  grid: GridController,
  edit: Pick<OpenEditor, "record" | "field" | "base">,
  text: string,
  save = (value: Json) => {
    // What was pasted before, and written since, is what the user has typed over.
    const last = lastCommitted(grid, edit.record, edit.field.name);
    const base = last && isSameValue(last.base, edit.base) ? last.value : edit.base;
    if (!isSameValue(value, base)) commitCell(grid, { ...edit, base }, value);
  },
): Promise<void> {
  const { core, table, labels } = grid;
  const { record, field } = edit;
  return editByName(core, labels, {
    place: { table: table.name, record, field: field.name },
    field,
    text,
    label: `${table.label} · ${field.label}`,
    save,
    onUnsaved: (reason) => {
      const view = grid.window.get(core.edits.currentId(table.name, record));
      if (view) grid.unreadable.add([{ record: view, field: field.name, text, reason }]);
    },
  });
}
