import { idOfField, idOfTable, type Model, type Table } from "./model.ts";

/** What tables and fields are called in the next model: things are the same by their ids, not by their names. */

/** A table by its name, before and after; null where it is not in both. */
export function tablePair(
  name: string,
  from: Model,
  to: Model,
): { before: Table; after: Table } | null {
  const before = from.tables.find((table) => table.name === name);
  const after = before && to.tables.find((table) => idOfTable(table) === idOfTable(before));
  return before && after ? { before, after } : null;
}

/** What a field is called afterwards; undefined where it is gone, or never was. */
export function fieldAfter(name: string, before: Table, after: Table): string | undefined {
  const field = before.fields.find((one) => one.name === name);
  return field && after.fields.find((one) => idOfField(one) === idOfField(field))?.name;
}
