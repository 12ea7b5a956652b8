import type { Field, Model, Table } from "./model.ts";

/**
 * Edits are under way while the model changes, and programs outlive it: a name that a table or field
 * had before still means it, unless something else is called so by now.
 */

const known = new WeakMap<Model, boolean>();

/** Whether anything in a model was ever called otherwise; most models answer no, at once. */
export function hasFormerNames(model: Model): boolean {
  const found = known.get(model) ?? model.tables.some((table) => table.formerly || renamed(table));
  known.set(model, found);
  return found;
}

function renamed({ fields }: Table): boolean {
  return fields.some(({ formerly }) => formerly);
}

/** The table that a name means: the one called so, else the one that was. */
export function resolveTable(model: Model, name: string): Table | undefined {
  return resolve(model.tables, name);
}

export function resolveField(table: Pick<Table, "fields">, name: string): Field | undefined {
  return resolve(table.fields, name);
}

function resolve<Part extends { name: string; formerly?: string[] }>(
  parts: readonly Part[],
  name: string,
): Part | undefined {
  return (
    parts.find((part) => part.name === name) ?? parts.find((part) => part.formerly?.includes(name))
  );
}

/** Values by the names of now; what is given under both names counts by the one of now. */
export function withCurrentNames<Value>(
  table: Table,
  values: Readonly<Record<string, Value>>,
): Record<string, Value> {
  const now = Object.entries(values).flatMap(([name, value]): [string, Value][] => {
    const currentName = resolveField(table, name)?.name ?? name;
    return currentName === name || !Object.hasOwn(values, currentName)
      ? [[currentName, value]]
      : [];
  });
  return Object.fromEntries(now);
}
