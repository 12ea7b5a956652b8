import type { Explanation } from "../error-texts/explain.ts";
import { explainModel } from "../error-texts/model-texts.ts";
import { checkFilter } from "../filter/check-filter.ts";
import type { Json } from "../filter/filter.ts";
import { type Field, fieldKinds, findField, type Table } from "./model.ts";
import type { ProblemList } from "./model-problem.ts";
import { normalizeValue } from "./normalize-value.ts";
import { findState, initialStates, type Transition, type Workflow } from "./workflow.ts";

/** The problems of a table's workflow: every name in it must be a state, or a field of the table. */
export function checkWorkflow(table: Table, problems: ProblemList): void {
  const { workflow, stateField } = table;
  if (!workflow) return;
  const field = stateField === undefined ? undefined : findField(table, stateField);
  if (!field) {
    problems.add(explainModel("model.workflowField"));
    return;
  }
  checkStates(workflow, table, field, problems);
  const names = workflow.transitions.map(({ name }) => name);
  for (const [index, transition] of workflow.transitions.entries()) {
    const at = problems.at("transitions", index);
    const isTwice = names.indexOf(transition.name) < index;
    at.at("name").add(
      isTwice && explainModel("model.sameTransitions", { name: JSON.stringify(transition.name) }),
    );
    checkTransition(transition, { table, workflow, field }, at);
  }
}

function checkStates(workflow: Workflow, table: Table, field: Field, problems: ProblemList): void {
  const values = workflow.states.map(({ value }) => value);
  for (const [index, { value, locks }] of workflow.states.entries()) {
    const at = problems.at("states", index);
    const isOption = field.options?.some((option) => option.value === value);
    at.at("value").add(
      !isOption &&
        explainModel("model.stateOption", { field: field.label, option: JSON.stringify(value) }),
    );
    at.at("value").add(values.indexOf(value) < index && explainModel("model.sameStates"));
    if (Array.isArray(locks)) checkNames(locks, table, field, at.at("locks"));
  }
  const isOdd =
    field.default !== undefined && !initialStates(workflow).includes(String(field.default));
  problems.at("states").add(isOdd && explainModel("model.defaultState", { field: field.label }));
}

interface Around {
  table: Table;
  workflow: Workflow;
  field: Field;
}

function checkTransition(
  { from, to, guard, requires = [], sets = {} }: Transition,
  { table, workflow, field }: Around,
  problems: ProblemList,
): void {
  const unknown = (state: string) =>
    !findState(workflow, state) &&
    explainModel("model.unknownState", { state: JSON.stringify(state) });
  for (const [index, state] of from.entries()) problems.at("from", index).add(unknown(state));
  problems.at("to").add(unknown(to));
  if (guard) problems.at("guard").add(checkFilter(guard, fieldKinds(table)));
  checkNames(requires, table, field, problems.at("requires"));
  checkNames(Object.keys(sets), table, field, problems.at("sets"));
  for (const [name, value] of Object.entries(sets)) {
    const target = findField(table, name);
    if (target) problems.at("sets", name).add(unsettable(target, value));
  }
}

function checkNames(
  names: readonly string[],
  table: Table,
  stateField: Field,
  problems: ProblemList,
): void {
  for (const [index, name] of names.entries()) {
    const at = problems.at(index);
    at.add(
      !findField(table, name) &&
        explainModel("model.unknownField", { field: JSON.stringify(name) }),
    );
    at.add(name === stateField.name && explainModel("model.ownState"));
  }
}

function unsettable(field: Field, value: Json): Explanation | false {
  if (value === "$now") {
    const isTime = field.type === "timestamp";
    return !isTime && explainModel("model.setsTime", { field: field.label });
  }
  if (value === "$me")
    return field.type !== "person" && explainModel("model.setsUser", { field: field.label });
  const normalized = normalizeValue(field, value);
  return !normalized.ok && normalized.problem;
}
