import type { Field, Model, Table } from "./model.ts";

/**
 * A former name of a table or field still refers to it, unless another one has that name now: edits may be pending while
 * the model changes, and programs may use older names.
 */

const known = new WeakMap<Model, boolean>();

/** Whether anything in a model was ever renamed; false at once for most models. */
export function hasFormerNames(model: Model): boolean {
  const found = known.get(model) ?? model.tables.some((table) => table.formerly || renamed(table));
  known.set(model, found);
  return found;
}

function renamed({ fields }: Table): boolean {
  return fields.some(({ formerly }) => formerly);
}

/** The table that a name means: the one of that name, else the one that formerly had it. */
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

/** Values under the current names; if a value is given under both names, the current one counts. */
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
