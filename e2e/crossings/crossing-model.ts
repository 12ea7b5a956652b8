import type { Json } from "../../shared/filter/filter.ts";
import type { Field, Model, Table } from "../../shared/model/model.ts";

const states = ["New", "Doing", "Done"];

/** A table as its workers know it: fields are identified by ids, whatever their current names. */
export const jobs: Table = {
  id: "jobs",
  name: "jobs",
  label: "Jobs",
  recordLabel: "job",
  display: "title",
  fields: [
    { id: "title", name: "title", label: "Title", type: "text" },
    { id: "size", name: "size", label: "Size", type: "integer" },
    { id: "secret", name: "secret", label: "Secret", type: "text" },
    {
      ...{ id: "state", name: "state", label: "State", type: "select", default: "New" },
      options: states.map((value) => ({ value })),
    },
  ],
  columns: [],
  sort: [],
  stateField: "state",
  workflow: {
    states: states.map((value) => ({ value, open: value !== "Done", initial: value === "New" })),
    transitions: [
      { name: "begin", label: "Begin", from: ["New"], to: "Doing" },
      { name: "finish", label: "Finish", from: ["Doing"], to: "Done" },
      { name: "reopen", label: "Reopen", from: ["Done"], to: "Doing" },
    ],
  },
};

/** A second table, to be renamed, removed and restored. */
export const teams: Table = {
  id: "teams",
  name: "teams",
  label: "Teams",
  recordLabel: "team",
  display: "name",
  fields: [{ id: "name", name: "name", label: "Name", type: "text" }],
  columns: [],
  sort: [],
};

export function tableOf({ tables }: Model, id: string): Table | undefined {
  return tables.find((table) => table.id === id);
}

/** A field by its id. */
export function fieldOf(table: Table, id: string): Field {
  const field = table.fields.find((one) => one.id === id);
  if (!field) throw new Error(`The table ${table.name} has no field ${id}.`);
  return field;
}

/** The model with one table replaced. */
export function withTable(model: Model, table: Table): Model {
  return { ...model, tables: model.tables.map((one) => (one.id === table.id ? table : one)) };
}

/** The table with other settings of one field. */
export function withField(table: Table, id: string, settings: Partial<Field>): Table {
  const fields = table.fields.map((field) => (field.id === id ? { ...field, ...settings } : field));
  return { ...table, fields };
}

/** The table with one renamed field; its workflow, rules and order do not read that field. */
export function withFieldNamed(table: Table, id: string, name: string): Table {
  const old = fieldOf(table, id).name;
  return {
    ...table,
    display: table.display === old ? name : table.display,
    fields: table.fields.map((field) => (field.id === id ? { ...field, name } : field)),
  };
}

/** Numbers may be texts, for the driver and for decimals by REST; empty is null. */
export function asWire(value: Json | undefined): Json {
  if (value === undefined || value === "") return null;
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}
