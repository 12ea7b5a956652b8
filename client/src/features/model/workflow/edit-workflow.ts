import {
  type Field,
  findField,
  type Option,
  type Table,
} from "../../../../../shared/model/model.ts";
import type { Transition, Workflow, WorkflowState } from "../../../../../shared/model/workflow.ts";
import { workflowMessages as messages } from "../../../messages/en/workflow.ts";
import { freeText, nameFor, newId } from "../document/new-names.ts";

/** Changes to a table's workflow. States are options of the state field: both are changed together. */

const defaultStates = (): Option[] => [
  { value: messages.stateNew(), colour: "blue" },
  { value: messages.stateInProgress(), colour: "yellow" },
  { value: messages.stateDone(), colour: "green" },
];

/** Fields that can hold a state. */
export function stateFields(table: Table): Field[] {
  return table.fields.filter(({ type }) => type === "select");
}

/** Lets a choice field hold the state: each of its options becomes one. It has no transitions yet. */
export function startWorkflow(table: Table, fieldName: string): Table {
  const values = findField(table, fieldName)?.options?.map(({ value }) => value) ?? [];
  const states = values.map(
    (value, index): WorkflowState => ({
      value,
      open: index < values.length - 1 || values.length === 1,
      ...(index === 0 && { initial: true }),
    }),
  );
  return { ...table, stateField: fieldName, workflow: { states, transitions: [] } };
}

/** A new choice field with three states, and the transitions from each to the next. */
export function startWithNewField(table: Table): Table {
  const names = table.fields.map(({ name }) => name);
  const name = nameFor(messages.state(), names, "state");
  const field: Field = {
    id: newId(),
    name,
    label: messages.state(),
    type: "select",
    options: defaultStates(),
    default: messages.stateNew(),
  };
  const fields = [...table.fields, field];
  const started = startWorkflow({ ...table, fields, columns: [...table.columns, name] }, name);
  const step = (label: string, from: string, to: string): Transition => ({
    name: nameFor(label, [], "transition"),
    label,
    from: [from],
    to,
  });
  const transitions = [
    step(messages.start(), messages.stateNew(), messages.stateInProgress()),
    step(messages.finish(), messages.stateInProgress(), messages.stateDone()),
  ];
  return withWorkflow(started, (workflow) => ({ ...workflow, transitions }));
}

/** Removes the workflow; the state field is an ordinary choice again. */
export function endWorkflow({ workflow: _, ...table }: Table): Table {
  return table;
}

export function withWorkflow(table: Table, change: (workflow: Workflow) => Workflow): Table {
  return table.workflow ? { ...table, workflow: change(table.workflow) } : table;
}

export function changeState(
  table: Table,
  value: string,
  change: (state: WorkflowState) => WorkflowState,
): Table {
  return withWorkflow(table, (workflow) => ({
    ...workflow,
    states: workflow.states.map((state) => (state.value === value ? change(state) : state)),
  }));
}

export function changeTransition(
  table: Table,
  name: string,
  change: (transition: Transition) => Transition,
): Table {
  return withWorkflow(table, (workflow) => ({
    ...workflow,
    transitions: workflow.transitions.map((one) => (one.name === name ? change(one) : one)),
  }));
}

export function changeOptions(
  table: Table,
  fieldName: string,
  change: (options: Option[]) => Option[],
): Table {
  const fields = table.fields.map((field) =>
    field.name === fieldName ? { ...field, options: change(field.options ?? []) } : field,
  );
  const changed = { ...table, fields };
  return fieldName === table.stateField ? syncStatesWithOptions(changed) : changed;
}

/** Updates the states to the options of the state field. Transitions of removed states are removed. */
function syncStatesWithOptions(table: Table): Table {
  const values = findField(table, table.stateField ?? "")?.options?.map(({ value }) => value) ?? [];
  return withWorkflow(table, ({ states, transitions }) => ({
    states: values.map(
      (value) => states.find((state) => state.value === value) ?? { value, open: true },
    ),
    transitions: transitions
      .map((one) => ({ ...one, from: one.from.filter((value) => values.includes(value)) }))
      .filter((one) => one.from.length > 0 && values.includes(one.to)),
  }));
}

/** Renames an option's value. Only for an option that no record can have yet. */
export function renameOption(table: Table, fieldName: string, from: string, to: string): Table {
  const swap = (value: string) => (value === from ? to : value);
  const fields = table.fields.map((field) =>
    field.name === fieldName
      ? {
          ...field,
          ...(field.default === from && { default: to }),
          options: (field.options ?? []).map((option) => ({
            ...option,
            value: swap(option.value),
          })),
        }
      : field,
  );
  const changed = { ...table, fields };
  if (fieldName !== table.stateField) return changed;
  return withWorkflow(changed, ({ states, transitions }) => ({
    states: states.map((state) => ({ ...state, value: swap(state.value) })),
    transitions: transitions.map((one) => ({
      ...one,
      from: one.from.map(swap),
      to: swap(one.to),
    })),
  }));
}

/** Adds a state without transitions. @returns the table and the state's value. */
export function addState(table: Table): { table: Table; value: string } {
  const { stateField = "" } = table;
  const taken = findField(table, stateField)?.options?.map((option) => option.value) ?? [];
  const value = freeText(messages.newState(), taken);
  const colour = colours[taken.length % colours.length] ?? "gray";
  const added = changeOptions(table, stateField, (options) => [...options, { value, colour }]);
  return { table: added, value };
}

const colours = ["blue", "yellow", "green", "grape", "orange", "teal", "red", "indigo"];

export function removeState(table: Table, value: string): Table {
  const { stateField = "" } = table;
  return changeOptions(table, stateField, (options) =>
    options.filter((option) => option.value !== value),
  );
}

/** Adds a transition, labelled by its target state. @returns the table and the transition's name. */
export function addTransition(
  table: Table,
  from: string,
  to: string,
): { table: Table; name: string } {
  const taken = table.workflow?.transitions ?? [];
  const label = freeText(
    messages.transitionTo({ state: stateLabel(table, to) }),
    taken.map((one) => one.label),
  );
  const name = nameFor(
    label,
    taken.map((one) => one.name),
    "transition",
  );
  const added = withWorkflow(table, (workflow) => ({
    ...workflow,
    transitions: [...workflow.transitions, { name, label, from: [from], to }],
  }));
  return { table: added, name };
}

export function removeTransition(table: Table, name: string): Table {
  return withWorkflow(table, (workflow) => ({
    ...workflow,
    transitions: workflow.transitions.filter((one) => one.name !== name),
  }));
}

/** The label of a state. */
export function stateLabel(table: Table, value: string): string {
  return stateOption(table, value)?.label ?? value;
}

export function stateOption(table: Table, value: string): Option | undefined {
  const field = table.stateField === undefined ? undefined : findField(table, table.stateField);
  return field?.options?.find((option) => option.value === value);
}
