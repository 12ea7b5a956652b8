import {
  branch,
  childrenOf,
  type DocumentNode,
  isSame,
  leaf,
  list,
  type MaybeNode,
  nodeAt,
  valueAt,
} from "../../../../../shared/document/document-node.ts";
import type { Filter, Json } from "../../../../../shared/filter/filter.ts";
import { renameFields } from "../../../../../shared/filter/rename-fields.ts";
import { renameInExpression } from "../../../../../shared/model/expression/rename-in-expression.ts";
import {
  type Derivation,
  type Field,
  idOfField,
  idOfTable,
  type Model,
  type Option,
  type Rule,
  type Table,
} from "../../../../../shared/model/model.ts";
import type { Transition, Workflow, WorkflowState } from "../../../../../shared/model/workflow.ts";

/**
 * The model as a document tree. Paths consist of identities (tables and fields by id, states by value, transitions by
 * name), and values refer to fields and tables by id. So a rename is one difference, whatever refers to the field.
 */
export function modelToTree({ tables, zone }: Model): DocumentNode {
  const table = idsOf(tables, idOfTable);
  const elements = elementsToTree("order", "tables", tables, idOfTable, (one) =>
    toTree(one, table),
  );
  return branch([...elements, ...(zone === undefined ? [] : [["zone", leaf(zone)] as const])]);
}

/**
 * Whether two models have the same tree. A table that is one object in both is not looked into, so that an edit of one
 * table costs no more in a large model.
 */
export function isSameModel(a: Model, b: Model): boolean {
  if (a === b) return true;
  if (a.zone !== b.zone) return false;
  const isPaired = (table: Table, index: number) => {
    const other = b.tables[index];
    return other?.name === table.name && idOfTable(other) === idOfTable(table);
  };
  if (a.tables.length !== b.tables.length || !a.tables.every(isPaired)) return false;
  // The names and ids of tables are the same in both, so references to tables are, too.
  const names = idsOf(a.tables, idOfTable);
  return a.tables.every((table, index) => {
    const other = b.tables[index];
    return table === other || (other && isSame(toTree(table, names), toTree(other, names)));
  });
}

/** The model of a tree. Elements without a place in the order come last. */
export function treeToModel(tree: DocumentNode, version: number): Model {
  const table = namesOf(nodeAt(tree, ["tables"]));
  const tables = treeToElements(tree, "order", "tables", (id, node) => toTable(id, node, table));
  const zone = valueAt<string>(tree, "zone");
  return { version, ...(zone !== undefined && { zone }), tables };
}

type Rename = (name: string) => string;
interface Renames {
  table: Rename;
  field: Rename;
}

/** Replaces names by ids. An unknown name stays, so that its problem can be shown. */
function idsOf<T extends { name: string }>(all: readonly T[], idOf: (one: T) => string): Rename {
  const ids = new Map(all.map((one) => [one.name, idOf(one)]));
  return (name) => ids.get(name) ?? name;
}

function namesOf(elements: MaybeNode): Rename {
  return (id) => valueAt<string>(elements, id, "name") ?? id;
}

/** Renames the field of a sort key. */
function sortKey(key: string, field: Rename): string {
  return key.startsWith("-") ? `-${field(key.slice(1))}` : field(key);
}

const oneField = (name: string, { field }: Renames) => field(name);
const manyFields = (names: string[], { field }: Renames) => names.map(field);

/** Maps the properties that refer to fields and tables, from names to ids or back. */
const references = {
  display: oneField,
  idFrom: oneField,
  stateField: oneField,
  locks: (locks: string[] | "all", names: Renames) =>
    locks === "all" ? locks : manyFields(locks, names),
  sort: (keys: string[], { field }: Renames) => keys.map((key) => sortKey(key, field)),
  filter: (filter: Filter, { field }: Renames) => renameFields(filter, field),
  guard: (filter: Filter, { field }: Renames) => renameFields(filter, field),
  requires: manyFields,
  sets: (sets: Record<string, Json>, { field }: Renames) =>
    Object.fromEntries(Object.entries(sets).map(([name, value]) => [field(name), value])),
  derive: (derive: Derivation, names: Renames) => ({
    ...derive,
    fields: manyFields(derive.fields, names),
  }),
  expression: (text: string, { field }: Renames) => renameInExpression(text, field),
  target: (name: string, { table }: Renames) => table(name),
};

function renamed(property: string, value: Json, names: Renames): Json {
  if (!Object.hasOwn(references, property)) return value;
  const rename = references[property as keyof typeof references];
  return rename(value as never, names) as Json;
}

/** `false` is the same as absent, except as a default. */
function isAbsent(property: string, value: Json | undefined): boolean {
  return value === undefined || (value === false && property !== "default");
}

type Child = readonly [string, MaybeNode];

const referring = Object.keys(references);
const position = ([property]: [string, Json]) => referring.indexOf(property);

/** Properties in the order of the document; references come last. */
function propertiesToTree(values: object, names: Renames): Child[] {
  const ordered = Object.entries(values).toSorted((a, b) => position(a) - position(b));
  return ordered.flatMap(([property, value]) =>
    isAbsent(property, value) ? [] : [[property, leaf(renamed(property, value, names))] as const],
  );
}

function treeToProperties(tree: DocumentNode, names: Renames): Record<string, Json> {
  const entries = [...childrenOf(tree)].flatMap(([property, node]) =>
    node.kind === "leaf" ? [[property, renamed(property, node.value, names)] as const] : [],
  );
  return Object.fromEntries(entries);
}

const REPEATED = "\u0000";

/** Unique keys for names, which may be duplicated while the user types. */
function uniqueKeys(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return names.map((name) => {
    const earlier = counts.get(name) ?? 0;
    counts.set(name, earlier + 1);
    return earlier === 0 ? name : `${name}${REPEATED}${earlier}`;
  });
}

/** The name that a key was made from. */
export function nameOfKey(key: string): string {
  return key.split(REPEATED)[0] ?? key;
}

/** Elements by key, with the order of the keys as a list. */
function elementsToTree<T>(
  order: string,
  property: string,
  all: readonly T[],
  keyOf: (one: T) => string,
  treeOf: (one: T) => DocumentNode,
): Child[] {
  const keys = uniqueKeys(all.map(keyOf));
  const children = all.map((one, index): Child => [keys[index] ?? "", treeOf(one)]);
  return [
    [order, list(keys)],
    [property, branch(children)],
  ];
}

function treeToElements<T>(
  tree: MaybeNode,
  order: string,
  property: string,
  read: (key: string, node: DocumentNode) => T,
): T[] {
  const elements = childrenOf(nodeAt(tree, [property]));
  const ordered = itemsAt(tree, order).filter((key) => elements.has(key));
  return [...new Set([...ordered, ...elements.keys()])].map((key) =>
    read(key, elements.get(key) as DocumentNode),
  );
}

function itemsAt(tree: MaybeNode, property: string): readonly string[] {
  const found = nodeAt(tree, [property]);
  return found?.kind === "list" ? found.items : [];
}

function toTree(whole: Table, table: Rename): DocumentNode {
  const { id: _, formerly: __, fields, columns, rules = [], workflow, ...properties } = whole;
  const names = { table, field: idsOf(fields, idOfField) };
  const filterOf = ({ filter }: Rule) => leaf(renamed("filter", filter as Json, names));
  return branch([
    ...propertiesToTree(properties, names),
    ["columns", list(uniqueKeys(columns.map(names.field)))],
    ...elementsToTree("order", "fields", fields, idOfField, (field) => fieldToTree(field, names)),
    ...elementsToTree("ruleOrder", "rules", rules, ({ message }) => message, filterOf),
    ["workflow", workflow && workflowToTree(workflow, names)],
  ]);
}

function toTable(id: string, tree: DocumentNode, table: Rename): Table {
  const names = { table, field: namesOf(nodeAt(tree, ["fields"])) };
  const fields = treeToElements(tree, "order", "fields", (key, node) => toField(key, node, names));
  const rules = treeToElements(tree, "ruleOrder", "rules", (key, node) => ({
    filter: renamed("filter", valueAt(node) ?? { and: [] }, names),
    message: nameOfKey(key),
  }));
  const workflow = nodeAt(tree, ["workflow"]);
  const known = childrenOf(nodeAt(tree, ["fields"]));
  const columns = itemsAt(tree, "columns").map(nameOfKey);
  return {
    display: "id",
    sort: [],
    ...treeToProperties(tree, names),
    id,
    fields,
    columns: columns.filter((column) => known.has(column)).map(names.field),
    ...(rules.length > 0 && { rules }),
    ...(workflow && { workflow: toWorkflow(workflow, names) }),
  } as unknown as Table;
}

function fieldToTree(
  { id: _, column: __, logKey: ___, formerly: ____, ...field }: Field,
  names: Renames,
) {
  const { options, ...properties } = field;
  const optionToTree = ({ value: _, ...option }: Option) => branch(propertiesToTree(option, names));
  return branch([
    ...propertiesToTree(properties, names),
    ...(options
      ? elementsToTree("optionOrder", "options", options, valueOfElement, optionToTree)
      : []),
  ]);
}

function toField(id: string, tree: DocumentNode, names: Renames): Field {
  const options = treeToElements(tree, "optionOrder", "options", (key, node) => ({
    value: nameOfKey(key),
    ...treeToProperties(node, names),
  }));
  const properties = treeToProperties(tree, names);
  const hasOptions = nodeAt(tree, ["options"]) !== undefined;
  return { ...properties, id, ...(hasOptions && { options }) } as unknown as Field;
}

const valueOfElement = ({ value }: { value: string }) => value;

function workflowToTree({ states, transitions }: Workflow, names: Renames): DocumentNode {
  const stateToTree = ({ value: _, ...state }: WorkflowState) =>
    branch(propertiesToTree(state, names));
  const transitionToTree = ({ name: _, ...transition }: Transition) =>
    branch(propertiesToTree(transition, names));
  return branch([
    ...elementsToTree("stateOrder", "states", states, valueOfElement, stateToTree),
    ...elementsToTree(
      "transitionOrder",
      "transitions",
      transitions,
      ({ name }) => name,
      transitionToTree,
    ),
  ]);
}

function toWorkflow(tree: DocumentNode, names: Renames): Workflow {
  const states = treeToElements(tree, "stateOrder", "states", (key, node) => ({
    value: nameOfKey(key),
    open: false,
    ...treeToProperties(node, names),
  }));
  const transitions = treeToElements(tree, "transitionOrder", "transitions", (key, node) => ({
    name: nameOfKey(key),
    ...treeToProperties(node, names),
  }));
  return { states, transitions } as unknown as Workflow;
}
