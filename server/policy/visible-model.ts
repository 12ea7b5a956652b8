import { fieldsOf } from "../../shared/filter/bind-filter.ts";
import type { Filter } from "../../shared/filter/filter.ts";
import type { Field, Model, Table } from "../../shared/model/model.ts";
import { pickValues } from "../../shared/model/pick-values.ts";
import type { Workflow } from "../../shared/model/workflow.ts";
import { type Subject, scopeOf } from "../../shared/policy/scope.ts";

/** The model as a user may see it: hidden tables and fields are absent, and nothing that is left names them. */
export function visibleModel(model: Model, subject: Subject): Model {
  const fields = new Map<string, readonly string[]>();
  for (const table of model.tables) {
    const scope = scopeOf(subject, table);
    if (scope) fields.set(table.name, scope.fields);
  }
  const tables = model.tables.flatMap((table) => {
    const isVisible = fields.get(table.name);
    return isVisible ? [visibleTable(table, isVisible, fields)] : [];
  });
  return { ...model, tables };
}

function visibleTable(
  table: Table,
  visible: readonly string[],
  tables: ReadonlyMap<string, unknown>,
): Table {
  const isVisible = (name: string) => visible.includes(name.replace(/^-/, ""));
  const { stateField, workflow, idFrom, rules, ...rest } = table;
  const seesState = stateField !== undefined && isVisible(stateField);
  return {
    ...rest,
    ...(seesState && { stateField }),
    ...(seesState && workflow && { workflow: visibleWorkflow(workflow, isVisible) }),
    ...(idFrom !== undefined && isVisible(idFrom) && { idFrom }),
    ...(rules && { rules: rules.filter(({ filter }) => readsOnly(filter, isVisible)) }),
    display: isVisible(table.display) ? table.display : (visible[0] ?? ""),
    fields: table.fields
      .filter(({ name }) => isVisible(name))
      .map((field) => visibleField(field, isVisible, tables)),
    columns: table.columns.filter(isVisible),
    sort: table.sort.filter(isVisible),
  };
}

/** Rules about hidden fields are left to the server. */
function readsOnly(filter: Filter, isVisible: (name: string) => boolean): boolean {
  return [...fieldsOf(filter)].every((name) => name === "id" || isVisible(name));
}

/**
 * The model without the rules and guards that compare fields which a user may not read. What leaves no trace, as a preview does,
 * is evaluated by it: by the others one could try out hidden values, thousands in one call.
 */
export function withReadableChecks(model: Model, subject: Subject): Model {
  const tables = model.tables.map((table) => {
    const scope = scopeOf(subject, table);
    return scope && scope.fields.length < table.fields.length
      ? checkedByReadable(table, (name) => scope.fields.includes(name))
      : table;
  });
  return tables.every((table, index) => table === model.tables[index])
    ? model
    : { ...model, tables };
}

function checkedByReadable(table: Table, isVisible: (name: string) => boolean): Table {
  const { rules, workflow } = table;
  const isReadable = (filter: Filter) => readsOnly(filter, isVisible);
  const transitions = workflow?.transitions ?? [];
  const isGuarded = transitions.some(({ guard }) => guard && !isReadable(guard));
  if (!isGuarded && (rules ?? []).every(({ filter }) => isReadable(filter))) return table;
  const unguarded = transitions.map(({ guard, ...transition }) =>
    guard && isReadable(guard) ? { ...transition, guard } : transition,
  );
  return {
    ...table,
    ...(rules && { rules: rules.filter(({ filter }) => isReadable(filter)) }),
    ...(workflow && { workflow: { ...workflow, transitions: unguarded } }),
  };
}

/** A guard that names hidden fields is left to the server; hidden required or locked fields, too. */
function visibleWorkflow(workflow: Workflow, isVisible: (name: string) => boolean): Workflow {
  const states = workflow.states.map(({ locks, ...state }) =>
    Array.isArray(locks)
      ? { ...state, locks: locks.filter(isVisible) }
      : { ...state, ...(locks && { locks }) },
  );
  const transitions = workflow.transitions.map(({ guard, requires, sets, ...transition }) => ({
    ...transition,
    ...(guard && readsOnly(guard, isVisible) && { guard }),
    ...(requires && { requires: requires.filter(isVisible) }),
    ...(sets && { sets: pickValues(sets, isVisible) }),
  }));
  return { states, transitions };
}

function visibleField(
  field: Field,
  isVisible: (name: string) => boolean,
  tables: ReadonlyMap<string, unknown>,
): Field {
  const { derive, target, ...rest } = field;
  return {
    ...rest,
    ...(derive?.fields.every(isVisible) && { derive }),
    ...(target !== undefined && tables.has(target) && { target }),
  };
}
