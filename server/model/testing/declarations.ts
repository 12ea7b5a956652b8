import fc from "fast-check";
import { fieldsOf } from "../../../shared/filter/bind-filter.ts";
import type { Filter } from "../../../shared/filter/filter.ts";
import { renameFields } from "../../../shared/filter/rename-fields.ts";
import type { FieldType } from "../../../shared/model/field-types.ts";
import type { Field, Rule, Table } from "../../../shared/model/model.ts";
import { isReadOnly } from "../../../shared/model/recorded.ts";
import type { Workflow } from "../../../shared/model/workflow.ts";

/** What a random table declares about its fields, and how that follows when the fields change. */
interface Declarations {
  required: boolean;
  unique: boolean;
  rule: boolean;
  workflow: boolean;
}

export const declarationsArbitrary: fc.Arbitrary<Declarations> = fc.record({
  required: fc.boolean(),
  unique: fc.boolean(),
  rule: fc.boolean(),
  workflow: fc.boolean(),
});

/** Types of which the two records of a test hold different values. */
const distinct: FieldType[] = ["text", "integer", "decimal", "money", "date", "timestamp"];

const isPlain = (field: Field) => !isReadOnly(field) && field.type !== "link";

/** The table with its declarations: each for the first suitable field, if there is one. */
export function declare(table: Table, { required, unique, rule, workflow }: Declarations): Table {
  const needed = required ? table.fields.find(isPlain) : undefined;
  const sole = unique ? table.fields.find(isDistinct) : undefined;
  const state = workflow ? table.fields.find(({ type }) => type === "select") : undefined;
  const ruled = rule ? table.fields.find((field) => isPlain(field) && field !== state) : undefined;
  const fields = table.fields.map((field) => ({
    ...field,
    ...(field === needed && { required: true }),
    ...(field === sole && { unique: true }),
  }));
  return {
    ...table,
    fields,
    ...(ruled && { rules: [ruleOf(ruled.name)] }),
    ...(state && { stateField: state.name, workflow: workflowOf(state, ruled) }),
  };
}

function isDistinct(field: Field): boolean {
  const hasOneValue = field.default !== undefined || field.automatic !== undefined;
  return isPlain(field) && distinct.includes(field.type) && !hasOneValue;
}

const isEmpty = (field: string): Filter => ({ field, op: "isEmpty" });

/** Every record matches it, so that only references to field names are tested. */
function ruleOf(field: string): Rule {
  const filter = { or: [isEmpty(field), { not: isEmpty(field) }] };
  return { filter, message: "Is always obeyed." };
}

/** From every option to the next; the field of the rule is required, guards and is locked at the end. */
function workflowOf(state: Field, other: Field | undefined): Workflow {
  const values = (state.options ?? []).map(({ value }) => value);
  const last = values.length - 1;
  const states = values.map((value, index) => ({
    value,
    open: index < last,
    initial: true,
    ...(other && index === last && { locks: [other.name] }),
  }));
  const transitions = values.slice(1).map((to, index) => ({
    name: `step ${index}`,
    label: `Step ${index}`,
    from: [values[index] as string],
    to,
    ...(other && { requires: [other.name], guard: { not: isEmpty(other.name) } }),
  }));
  return { states, transitions };
}

/**
 * The declarations of a table whose fields have become `fields`: they follow a renamed field, and go with a
 * removed one. A workflow goes with its state field, and if that field was retyped or lost an option.
 */
export function declarationsAfter(before: Table, fields: readonly Field[]): Partial<Table> {
  const keyOf = ({ id, name }: Field) => id ?? name;
  const find = (name: string) => {
    const field = before.fields.find((one) => one.name === name);
    return field && fields.find((one) => keyOf(one) === keyOf(field));
  };
  const nameOf = (name: string) => find(name)?.name ?? name;
  const { rules = [], workflow } = before;
  const read = rules.flatMap(({ filter }) => [...fieldsOf(filter)]);
  const ruled = rules.length > 0 && read.every((name) => find(name) !== undefined);
  const state = before.stateField === undefined ? undefined : find(before.stateField);
  const isWhole = workflow?.states.every(({ value }) =>
    state?.options?.some((option) => option.value === value),
  );
  const retained = workflow && state?.type === "select" && isWhole && (ruled || rules.length === 0);
  return {
    ...(ruled && {
      rules: rules.map((rule) => ({ ...rule, filter: renameFields(rule.filter, nameOf) })),
    }),
    ...(retained && { stateField: state.name, workflow: renamed(workflow, nameOf) }),
  };
}

function renamed(workflow: Workflow, nameOf: (name: string) => string): Workflow {
  return {
    states: workflow.states.map(({ locks, ...state }) => ({
      ...state,
      ...(Array.isArray(locks) && { locks: locks.map(nameOf) }),
    })),
    transitions: workflow.transitions.map(({ requires, guard, ...rest }) => ({
      ...rest,
      ...(requires && { requires: requires.map(nameOf) }),
      ...(guard && { guard: renameFields(guard, nameOf) }),
    })),
  };
}
