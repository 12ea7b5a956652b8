import { type Field, findTable, type Model } from "../../../../../shared/model/model.ts";
import { addTable } from "../document/edit-model.ts";
import { freeText, nameFor, newId } from "../document/new-names.ts";
import type { ProposedField } from "./propose-field.ts";

/** A column of the file that becomes a field. */
export interface FileColumn {
  label: string;
  field: ProposedField;
}

/** Adds a table with a field for each column. */
export function addTableFromFile(
  model: Model,
  id: string,
  { label, columns }: { label: string; columns: readonly FileColumn[] },
): Model {
  const fields: Field[] = [];
  for (const column of columns) {
    const names = fields.map(({ name }) => name);
    const labels = fields.map((field) => field.label);
    const free = freeText(column.label, labels);
    const name = nameFor(free, names, "field");
    // The draft may have renamed or removed the table that was proposed.
    const { target } = column.field;
    const isLost = target !== undefined && !findTable(model, target);
    const field: ProposedField = isLost ? { type: "text" } : column.field;
    fields.push({ id: newId(), name, label: free, ...field });
  }
  return addTable(model, id, { label, fields });
}
