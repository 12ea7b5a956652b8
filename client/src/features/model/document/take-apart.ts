import type { Filter, Json } from "../../../../../shared/filter/filter.ts";
import { renameFields } from "../../../../../shared/filter/rename-fields.ts";
import { renameInExpression } from "../../../../../shared/model/expression/rename-in-expression.ts";
import {
  type Field,
  idOfField,
  idOfTable,
  type Model,
  type Table,
} from "../../../../../shared/model/model.ts";
import type { Transition, Workflow } from "../../../../../shared/model/workflow.ts";
import { branch, leaf, list, type Part } from "./model-tree.ts";

/** What the server keeps for itself, or what the paths say already. */
type Kept<T> = Omit<T, "id" | "column" | "formerly">;

/** A model by its identities; `putTogether` makes the same model of it again. */
export function takeApart(model: Model): Part {
  const tableId = idsOf(model.tables, idOfTable);
  return branch([
    ["order", list(model.tables.map(idOfTable))],
    ["tables", keyed(model.tables, idOfTable, (table) => tablePart(table, tableId))],
  ]);
}

type IdOf = (name: string) => string;

/** Names to ids; a name that leads nowhere stays, so that its problem can be told. */
function idsOf<T extends { name: string }>(all: readonly T[], idOf: (one: T) => string): IdOf {
  const ids = new Map(all.map((one) => [one.name, idOf(one)]));
  return (name) => ids.get(name) ?? name;
}

/** Parts by their names. What carries a name twice, while somebody types, is not taken for one. */
function keyed<T>(all: readonly T[], keyOf: (one: T) => string, part: (one: T) => Part): Part {
  const keys = uniqueKeys(all.map(keyOf));
  return branch(all.map((one, index) => [keys[index] ?? "", part(one)] as const));
}

const REPEATED = "\u0000";

function uniqueKeys(names: readonly string[]): string[] {
  return names.map((name, index) => {
    const earlier = names.slice(0, index).filter((one) => one === name).length;
    return earlier === 0 ? name : `${name}${REPEATED}${earlier}`;
  });
}

/** The name under which a part stands in the model. */
export function nameOfKey(key: string): string {
  return key.split(REPEATED)[0] ?? key;
}

function ordered(names: readonly string[]): Part {
  return list(uniqueKeys(names));
}

function leaves(values: object): [string, Part | null][] {
  return Object.entries(values).map(([key, value]) => [key, leafOf(key, value)]);
}

/** A default of "no" is a default; everything else that is switched off is the same as absent. */
function leafOf(key: string, value: Json | undefined): Part | null {
  return key === "default" && value === false ? { kind: "leaf", value } : leaf(value);
}

function tablePart(table: Table, tableId: IdOf): Part {
  const {
    fields,
    workflow,
    columns,
    sort,
    rules = [],
    display,
    idFrom,
    stateField,
    ...words
  } = table;
  const { id: _, formerly: __, ...rest } = words as Kept<typeof words> & typeof words;
  const fieldId = idsOf(fields, idOfField);
  const one = (name: string | undefined) => leaf(name === undefined ? undefined : fieldId(name));
  return branch([
    ...leaves(rest),
    ["display", one(display)],
    ["idFrom", one(idFrom)],
    ["stateField", one(stateField)],
    ["columns", ordered(columns.map(fieldId))],
    ["sort", leaf(sort.map((key) => sortKey(key, fieldId)))],
    ["order", list(fields.map(idOfField))],
    ["fields", keyed(fields, idOfField, (field) => fieldPart(field, fieldId, tableId))],
    ["ruleOrder", ordered(rules.map(({ message }) => message))],
    [
      "rules",
      keyed(
        rules,
        ({ message }) => message,
        ({ filter }) => filterPart(filter, fieldId),
      ),
    ],
    ["workflow", workflow && workflowPart(workflow, fieldId)],
  ]);
}

/** A sort key with its field called otherwise. */
export function sortKey(key: string, nameOf: IdOf): string {
  return key.startsWith("-") ? `-${nameOf(key.slice(1))}` : nameOf(key);
}

function filterPart(filter: Filter, fieldId: IdOf): Part {
  return { kind: "leaf", value: renameFields(filter, fieldId) as Json };
}

function fieldPart(field: Field, fieldId: IdOf, tableId: IdOf): Part {
  const { id: _, column: __, formerly: ___, options, target, derive, expression, ...rest } = field;
  const by = derive && { ...derive, fields: derive.fields.map(fieldId) };
  return branch([
    ...leaves(rest),
    ["target", leaf(target === undefined ? undefined : tableId(target))],
    ["derive", leaf(by as Json | undefined)],
    [
      "expression",
      leaf(expression === undefined ? undefined : renameInExpression(expression, fieldId)),
    ],
    ["optionOrder", options && ordered(options.map(({ value }) => value))],
    [
      "options",
      options &&
        keyed(
          options,
          ({ value }) => value,
          ({ value: _, ...option }) => branch(leaves(option)),
        ),
    ],
  ]);
}

function workflowPart({ states, transitions }: Workflow, fieldId: IdOf): Part {
  return branch([
    ["stateOrder", ordered(states.map(({ value }) => value))],
    [
      "states",
      keyed(
        states,
        ({ value }) => value,
        ({ value: _, locks, ...state }) =>
          branch([
            ...leaves(state),
            ["locks", leaf(Array.isArray(locks) ? locks.map(fieldId) : locks)],
          ]),
      ),
    ],
    ["transitionOrder", ordered(transitions.map(({ name }) => name))],
    [
      "transitions",
      keyed(
        transitions,
        ({ name }) => name,
        (one) => movePart(one, fieldId),
      ),
    ],
  ]);
}

function movePart({ name: _, guard, requires, sets, ...rest }: Transition, fieldId: IdOf): Part {
  const entries = Object.entries(sets ?? {}).map(([name, value]) => [fieldId(name), value]);
  return branch([
    ...leaves(rest),
    ["guard", guard && filterPart(guard, fieldId)],
    ["requires", leaf(requires?.map(fieldId))],
    ["sets", leaf(sets && (Object.fromEntries(entries) as Json))],
  ]);
}
