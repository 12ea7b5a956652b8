import type { Field, Model, Table } from "../../../../../shared/model/model.ts";
import { freeText, nameFor, newId } from "../document/new-names.ts";
import type { ProposedField } from "./propose-field.ts";

/** A column of the file that becomes a field. */
export interface FileColumn {
  label: string;
  field: ProposedField;
}

/** Fields shown as columns first; the others can be added in the grid. */
const SHOWN_COLUMNS = 8;

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
    fields.push({ id: newId(), name, label: free, ...column.field });
  }
  const free = freeText(
    label,
    model.tables.map((table) => table.label),
  );
  const table: Table = {
    id,
    name: nameFor(
      free,
      model.tables.map(({ name }) => name),
      "table",
    ),
    label: free,
    recordLabel: "record",
    display: displayOf(fields),
    fields,
    columns: fields.slice(0, SHOWN_COLUMNS).map(({ name }) => name),
    sort: [],
  };
  return { ...model, tables: [...model.tables, table] };
}

/** A field that names records: a text, best one that is not a mere number of the record. */
function displayOf(fields: readonly Field[]): string {
  const texts = fields.filter(({ type }) => type === "text" || type === "email");
  const [first = fields[0]] = [...texts.filter(({ unique }) => !unique), ...texts];
  return first?.name ?? "id";
}
