import { leaf, withNode } from "../../../../../shared/document/document-node.ts";
import {
  type Field,
  idOfField,
  idOfTable,
  type Model,
  type Table,
} from "../../../../../shared/model/model.ts";
import { pickValues } from "../../../../../shared/model/pick-values.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { modelToTree, treeToModel } from "./model-tree.ts";
import { freeText, isNew, nameFor, newId, singular } from "./new-names.ts";

/** The builder's edits of a model. Each returns a new model and leaves the old one unchanged. */

/** Gives every table and field an explicit id, so that parts with the same name are distinguishable. */
export function withIds(model: Model): Model {
  const tables = model.tables.map((table) => ({
    ...table,
    id: idOfTable(table),
    fields: table.fields.map((field) => ({ ...field, id: idOfField(field) })),
  }));
  return { ...model, tables };
}

/** The model as sent to the server, which assigns the ids of new parts. */
export function withoutNewIds(model: Model): Model {
  return { ...model, tables: model.tables.map(tableWithoutNewIds) };
}

export function tableWithoutNewIds(table: Table): Table {
  return withoutNewId({ ...table, fields: table.fields.map((field) => withoutNewId(field)) });
}

function withoutNewId<T extends { id?: string }>(one: T): T {
  const { id, ...rest } = one;
  return isNew(id) ? (rest as T) : one;
}

export function changeTable(model: Model, id: string, change: (table: Table) => Table): Model {
  const tables = model.tables.map((table) => (idOfTable(table) === id ? change(table) : table));
  return { ...model, tables };
}

export function changeField(table: Table, id: string, change: (field: Field) => Field): Table {
  const fields = table.fields.map((field) => (idOfField(field) === id ? change(field) : field));
  return { ...table, fields };
}

/** Fields shown as columns first; the others can be added in the grid. */
const SHOWN_COLUMNS = 8;

/** A new table, by default with one text field. Its names are free ones. */
export function addTable(
  model: Model,
  id: string,
  {
    label = messages.newTable(),
    fields = [titleField()],
  }: { label?: string; fields?: Field[] } = {},
): Model {
  const { tables } = model;
  const labels = tables.map((table) => table.label);
  const names = tables.map((table) => table.name);
  const free = freeText(label, labels);
  const table: Table = {
    id,
    name: nameFor(free, names, "table"),
    label: free,
    recordLabel: "record",
    display: displayOf(fields),
    fields,
    columns: fields.slice(0, SHOWN_COLUMNS).map(({ name }) => name),
    sort: [],
  };
  return { ...model, tables: [...tables, table] };
}

/** A table to begin with: what is to be done, its status, by whom and until when. */
export function addStarterTable(model: Model, id: string, label: string): Model {
  const states = [
    { value: messages.toDo(), colour: "blue", open: true },
    { value: messages.doing(), colour: "yellow", open: true },
    { value: messages.done(), colour: "green" },
  ];
  const field = (name: string, text: string, type: Field["type"]): Field => ({
    ...{ id: newId(), name, label: text, type },
  });
  const fields: Field[] = [
    titleField(),
    {
      ...field("status", messages.statusField(), "select"),
      options: states,
      default: messages.toDo(),
    },
    field("assignee", messages.assigneeField(), "person"),
    field("due", messages.dueField(), "date"),
  ];
  return changeTable(addTable(model, id, { label, fields }), id, (table) => ({
    ...table,
    recordLabel: singular(label),
    stateField: "status",
  }));
}

function titleField(): Field {
  return { id: newId(), name: "title", label: messages.titleField(), type: "text" };
}

/** A field that names records: a text, best one that is not a mere number of the record. */
function displayOf(fields: readonly Field[]): string {
  const texts = fields.filter(({ type }) => type === "text" || type === "email");
  const [first = fields[0]] = [...texts.filter(({ unique }) => !unique), ...texts];
  return first?.name ?? "id";
}

export function removeTable(model: Model, id: string): Model {
  return { ...model, tables: model.tables.filter((table) => idOfTable(table) !== id) };
}

/** A new text field, shown as a column. */
export function addField(table: Table, id: string): Table {
  const names = table.fields.map(({ name }) => name);
  const label = freeText(
    messages.newField(),
    table.fields.map((field) => field.label),
  );
  const field: Field = { id, name: nameFor(label, names, "field"), label, type: "text" };
  const fields = [...table.fields, field];
  return { ...table, fields, columns: [...table.columns, field.name] };
}

/** Removes a field and its places in lists. Rules and guards that refer to it remain, as problems to solve. */
export function removeField(table: Table, id: string): Table {
  const removedName = table.fields.find((field) => idOfField(field) === id)?.name;
  if (removedName === undefined) return table;
  const fields = table.fields.filter((field) => idOfField(field) !== id);
  const isOther = (name: string) => name.replace(/^-/, "") !== removedName;
  const { display, idFrom, stateField, workflow, ...rest } = table;
  const remainingWorkflow = stateField === removedName ? undefined : workflow;
  return {
    ...rest,
    fields: fields.map(({ derive, ...field }) =>
      derive && !derive.fields.includes(removedName) ? { ...field, derive } : field,
    ),
    columns: table.columns.filter(isOther),
    sort: table.sort.filter(isOther),
    display: display === removedName ? (fields[0]?.name ?? "id") : display,
    ...(idFrom !== undefined && isOther(idFrom) && { idFrom }),
    ...(stateField !== undefined && isOther(stateField) && { stateField }),
    ...(remainingWorkflow && {
      workflow: {
        states: remainingWorkflow.states.map(({ locks, ...state }) =>
          locks === undefined
            ? state
            : { ...state, locks: locks === "all" ? locks : locks.filter(isOther) },
        ),
        transitions: remainingWorkflow.transitions.map(({ requires, sets, ...transition }) => ({
          ...transition,
          ...(requires && { requires: requires.filter(isOther) }),
          ...(sets && {
            sets: pickValues(sets, isOther),
          }),
        })),
      },
    }),
  };
}

/** Renames a table and updates links to it. */
export function renameTable(model: Model, id: string, name: string): Model {
  return setName(model, ["tables", id], name);
}

/** Renames a field and updates all references. */
export function renameField(model: Model, table: string, field: string, name: string): Model {
  return setName(model, ["tables", table, "fields", field], name);
}

function setName(model: Model, path: readonly string[], name: string): Model {
  const tree = modelToTree(model);
  return treeToModel(withNode(tree, [...path, "name"], leaf(name)) ?? tree, model.version);
}
