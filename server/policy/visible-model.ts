import { fieldsOf } from "../../shared/filter/bind-filter.ts";
import type { Filter } from "../../shared/filter/filter.ts";
import type { Field, Model, Table } from "../../shared/model/model.ts";
import type { Workflow } from "../../shared/model/workflow.ts";
import { type Subject, scopeOf } from "../../shared/policy/scope.ts";

/**
 * The model as a person may know it: tables and fields out of their sight are absent, and nothing
 * that is left names them.
 */
export function visibleModel(model: Model, subject: Subject): Model {
  const fields = new Map<string, readonly string[]>();
  for (const table of model.tables) {
    const scope = scopeOf(subject, table);
    if (scope) fields.set(table.name, scope.fields);
  }
  const tables = model.tables.flatMap((table) => {
    const seen = fields.get(table.name);
    return seen ? [visibleTable(table, seen, fields)] : [];
  });
  return { ...model, tables };
}

function visibleTable(
  table: Table,
  visible: readonly string[],
  tables: ReadonlyMap<string, unknown>,
): Table {
  const seen = (name: string) => visible.includes(name.replace(/^-/, ""));
  const { stateField, workflow, idFrom, rules, ...rest } = table;
  const seesState = stateField !== undefined && seen(stateField);
  return {
    ...rest,
    ...(seesState && { stateField }),
    ...(seesState && workflow && { workflow: visibleWorkflow(workflow, seen) }),
    ...(idFrom !== undefined && seen(idFrom) && { idFrom }),
    ...(rules && { rules: rules.filter(({ filter }) => speaksOnlyOf(filter, seen)) }),
    display: seen(table.display) ? table.display : (visible[0] ?? ""),
    fields: table.fields
      .filter(({ name }) => seen(name))
      .map((field) => visibleField(field, seen, tables)),
    columns: table.columns.filter(seen),
    sort: table.sort.filter(seen),
  };
}

/** Rules about hidden fields are left to the server. */
function speaksOnlyOf(filter: Filter, seen: (name: string) => boolean): boolean {
  return [...fieldsOf(filter)].every((name) => name === "id" || seen(name));
}

/** A guard that speaks of hidden fields is left to the server; what is required or locked unseen, too. */
function visibleWorkflow(workflow: Workflow, seen: (name: string) => boolean): Workflow {
  const states = workflow.states.map(({ locks, ...state }) =>
    Array.isArray(locks)
      ? { ...state, locks: locks.filter(seen) }
      : { ...state, ...(locks && { locks }) },
  );
  const transitions = workflow.transitions.map(({ guard, requires, sets, ...transition }) => ({
    ...transition,
    ...(guard && speaksOnlyOf(guard, seen) && { guard }),
    ...(requires && { requires: requires.filter(seen) }),
    ...(sets && { sets: Object.fromEntries(Object.entries(sets).filter(([n]) => seen(n))) }),
  }));
  return { states, transitions };
}

function visibleField(
  field: Field,
  seen: (name: string) => boolean,
  tables: ReadonlyMap<string, unknown>,
): Field {
  const { derive, target, ...rest } = field;
  return {
    ...rest,
    ...(derive?.fields.every(seen) && { derive }),
    ...(target !== undefined && tables.has(target) && { target }),
  };
}
