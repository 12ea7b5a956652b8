import { renameFields } from "../filter/rename-fields.ts";
import type { Field, Table } from "./model.ts";
import type { Workflow } from "./workflow.ts";

/** The new name of a field; the name itself if it did not change. */
export type NameOf = (name: string) => string;

/**
 * A table with all references to its fields under their new names, so that a plain rename changes no
 * reference.
 */
export function withFieldNames(table: Table, nameOf: NameOf): Table {
  const { display, idFrom, stateField, columns, sort, rules, workflow } = table;
  return {
    ...table,
    display: nameOf(display),
    ...(idFrom !== undefined && { idFrom: nameOf(idFrom) }),
    ...(stateField !== undefined && { stateField: nameOf(stateField) }),
    columns: columns.map(nameOf),
    sort: sort.map((key) => (key.startsWith("-") ? `-${nameOf(key.slice(1))}` : nameOf(key))),
    ...(rules && {
      rules: rules.map((rule) => ({ ...rule, filter: renameFields(rule.filter, nameOf) })),
    }),
    ...(workflow && { workflow: workflowWith(workflow, nameOf) }),
  };
}

/** A derived field with the new names. */
export function derivedWith(field: Field, nameOf: NameOf): Field {
  const { derive } = field;
  return derive ? { ...field, derive: { ...derive, fields: derive.fields.map(nameOf) } } : field;
}

function workflowWith({ states, transitions }: Workflow, nameOf: NameOf): Workflow {
  return {
    states: states.map((state) =>
      Array.isArray(state.locks) ? { ...state, locks: state.locks.map(nameOf) } : state,
    ),
    transitions: transitions.map(({ guard, requires, sets, ...rest }) => ({
      ...rest,
      ...(guard && { guard: renameFields(guard, nameOf) }),
      ...(requires && { requires: requires.map(nameOf) }),
      ...(sets && {
        sets: Object.fromEntries(Object.entries(sets).map(([name, to]) => [nameOf(name), to])),
      }),
    })),
  };
}
