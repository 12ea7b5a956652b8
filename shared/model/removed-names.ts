import { type Field, idOfField, idOfTable, type Model, type Table } from "./model.ts";

/** A removed table as it last was, and the fields that were removed from it before, the last removed first. */
export interface RemovedTable {
  table: Table;
  fields: Field[];
}

/** Follows the id of something removed. No table or field has such a name: names have no comma. */
const REMOVED = ", removed";

/** The name of a removed table or field in what is stored: nothing else ever has it. */
export function removedName(id: string): string {
  return `${id}${REMOVED}`;
}

/** The id of the removed table or field that a name means; null if it means none. */
export function idOfRemoved(name: string): string | null {
  return name.endsWith(REMOVED) ? name.slice(0, -REMOVED.length) : null;
}

/**
 * A model with the tables and fields that it no longer has, the last removed first, under the names by which what is
 * stored knows them, so that it follows them where they are restored. Their old names are former ones, unless others
 * have had these since.
 */
export function withRemovedTables(model: Model, removed: readonly RemovedTable[]): Model {
  const tables = removed.map(({ table, fields }) => ({
    ...table,
    fields: withRemoved(table.fields, fields, idOfField),
  }));
  return { ...model, tables: withRemoved(model.tables, tables, idOfTable) };
}

function withRemoved<Part extends { id?: string; name: string; formerly?: string[] }>(
  present: readonly Part[],
  removed: readonly Part[],
  idOf: (part: Part) => string,
): Part[] {
  const namesOf = ({ name, formerly = [] }: Part) => [name, ...formerly];
  const used = new Set(present.flatMap(namesOf));
  const named = removed.map((part) => {
    const formerly = namesOf(part).filter((name) => !used.has(name));
    for (const name of formerly) used.add(name);
    return { ...part, id: idOf(part), name: removedName(idOf(part)), formerly };
  });
  return [...present, ...named];
}
