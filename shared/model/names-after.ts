import { idOfField, idOfTable, type Model, type Table } from "./model.ts";

/** Names of tables and fields in the next model: they are matched by ids, not by names. */

/** A table by its name, before and after; null if it is missing in one of them. */
export function tablePair(
  name: string,
  from: Model,
  to: Model,
): { before: Table; after: Table } | null {
  const before = from.tables.find((table) => table.name === name);
  const after = before && to.tables.find((table) => idOfTable(table) === idOfTable(before));
  return before && after ? { before, after } : null;
}

/** The next name of a field; undefined if it is removed or never existed. */
export function fieldAfter(name: string, before: Table, after: Table): string | undefined {
  const field = before.fields.find((one) => one.name === name);
  return field && after.fields.find((one) => idOfField(one) === idOfField(field))?.name;
}
