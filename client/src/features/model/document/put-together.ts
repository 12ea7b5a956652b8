import type { Filter, Json } from "../../../../../shared/filter/filter.ts";
import { renameFields } from "../../../../../shared/filter/rename-fields.ts";
import { renameInExpression } from "../../../../../shared/model/expression/rename-in-expression.ts";
import type { Field, Model, Option, Table } from "../../../../../shared/model/model.ts";
import type { Transition, Workflow, WorkflowState } from "../../../../../shared/model/workflow.ts";
import type { Part } from "./model-tree.ts";
import { nameOfKey, sortKey } from "./take-apart.ts";

/** The model that was taken apart; parts that no order names come last. */
export function putTogether(tree: Part, version: number): Model {
  const tables = inOrder(tree, "order", "tables");
  const nameOfTable = namesOf(tables);
  return { version, tables: tables.map(([id, part]) => tableOf(id, part, nameOfTable)) };
}

type NameOf = (id: string) => string;
type Entry = [key: string, part: Part];

function at(part: Part | undefined, key: string): Part | undefined {
  return part?.kind === "branch" ? part.parts.get(key) : undefined;
}

function valueAt<T extends Json>(part: Part, key: string): T | undefined {
  const found = at(part, key);
  return found?.kind === "leaf" ? (found.value as T) : undefined;
}

function itemsAt(part: Part, key: string): string[] {
  const found = at(part, key);
  return found?.kind === "list" ? found.items : [];
}

function inOrder(part: Part, order: string, parts: string): Entry[] {
  const all = at(part, parts);
  const entries = all?.kind === "branch" ? all.parts : new Map<string, Part>();
  const named = itemsAt(part, order).filter((key) => entries.has(key));
  const others = [...entries.keys()].filter((key) => !named.includes(key));
  return [...named, ...others].map((key) => [key, entries.get(key) as Part]);
}

function namesOf(entries: readonly Entry[]): NameOf {
  const names = new Map(entries.map(([id, part]) => [id, valueAt<string>(part, "name") ?? id]));
  return (id) => names.get(id) ?? id;
}

/** All plain values of a branch, by their keys; without those that mean something else here. */
function plain(part: Part, except: readonly string[] = []): Record<string, Json> {
  if (part.kind !== "branch") return {};
  const entries = [...part.parts].flatMap(([key, value]) =>
    value.kind === "leaf" && !except.includes(key) ? [[key, value.value] as const] : [],
  );
  return Object.fromEntries(entries);
}

function given<T extends object>(values: T): T {
  const kept = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as T;
}

function tableOf(id: string, part: Part, nameOfTable: NameOf): Table {
  const fields = inOrder(part, "order", "fields");
  const nameOf = namesOf(fields);
  const one = (key: string) => {
    const found = valueAt<string>(part, key);
    return found === undefined ? undefined : nameOf(found);
  };
  const rules = inOrder(part, "ruleOrder", "rules").map(([message, filter]) => ({
    filter: filterOf(filter, nameOf) ?? { and: [] },
    message: nameOfKey(message),
  }));
  const workflow = at(part, "workflow");
  const known = new Set(fields.map(([fieldId]) => fieldId));
  return given({
    id,
    ...plain(part, ["display", "idFrom", "stateField", "sort"]),
    display: one("display") ?? "id",
    idFrom: one("idFrom"),
    stateField: one("stateField"),
    fields: fields.map(([fieldId, field]) => fieldOf(fieldId, field, nameOf, nameOfTable)),
    columns: itemsAt(part, "columns")
      .map(nameOfKey)
      .filter((column) => known.has(column))
      .map(nameOf),
    sort: (valueAt<string[]>(part, "sort") ?? []).map((key) => sortKey(key, nameOf)),
    rules: rules.length ? rules : undefined,
    workflow: workflow && workflowOf(workflow, nameOf),
  }) as unknown as Table;
}

function filterOf(part: Part | undefined, nameOf: NameOf): Filter | undefined {
  if (part?.kind !== "leaf") return undefined;
  return renameFields(part.value as unknown as Filter, nameOf);
}

function fieldOf(id: string, part: Part, nameOf: NameOf, nameOfTable: NameOf): Field {
  const target = valueAt<string>(part, "target");
  const expression = valueAt<string>(part, "expression");
  const derive = valueAt<{ fields: string[]; values: Record<string, Json> }>(part, "derive");
  const options = inOrder(part, "optionOrder", "options").map(
    ([value, option]) => ({ value: nameOfKey(value), ...plain(option) }) as Option,
  );
  return given({
    id,
    ...plain(part, ["target", "derive", "expression"]),
    target: target === undefined ? undefined : nameOfTable(target),
    derive: derive && { ...derive, fields: derive.fields.map(nameOf) },
    expression: expression === undefined ? undefined : renameInExpression(expression, nameOf),
    options: at(part, "options") ? options : undefined,
  }) as unknown as Field;
}

function workflowOf(part: Part, nameOf: NameOf): Workflow {
  const states = inOrder(part, "stateOrder", "states").map(([value, state]): WorkflowState => {
    const locks = valueAt<string[] | "all">(state, "locks");
    const kept = Array.isArray(locks) ? locks.map(nameOf) : locks;
    const { open = false, ...rest } = plain(state, ["locks"]);
    return given({
      value: nameOfKey(value),
      ...rest,
      open,
      locks: kept,
    }) as unknown as WorkflowState;
  });
  const transitions = inOrder(part, "transitionOrder", "transitions").map(([name, move]) =>
    transitionOf(name, move, nameOf),
  );
  return { states, transitions };
}

function transitionOf(name: string, part: Part, nameOf: NameOf): Transition {
  const sets = valueAt<Record<string, Json>>(part, "sets");
  return given({
    name: nameOfKey(name),
    ...plain(part, ["guard", "requires", "sets"]),
    guard: filterOf(at(part, "guard"), nameOf),
    requires: valueAt<string[]>(part, "requires")?.map(nameOf),
    sets:
      sets && Object.fromEntries(Object.entries(sets).map(([id, value]) => [nameOf(id), value])),
  }) as unknown as Transition;
}
