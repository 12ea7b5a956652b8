import type { Filter, Json, ValueKind } from "../filter/filter.ts";
import type { Workflow } from "./workflow.ts";

/**
 * The model: what a customer declares for itself, as one versioned document. The platform enforces
 * it; no customer writes code for it.
 */

/** How a field of each type compares in filters and orders. A duration is whole seconds. */
export const kindOfType = {
  text: "text",
  longText: "text",
  integer: "integer",
  decimal: "decimal",
  money: "decimal",
  percent: "decimal",
  boolean: "boolean",
  date: "date",
  timestamp: "timestamp",
  duration: "integer",
  select: "text",
  multiSelect: "list",
  person: "text",
  link: "text",
  email: "text",
  url: "text",
  phone: "text",
  json: "json",
} as const satisfies Record<string, ValueKind>;

export type FieldType = keyof typeof kindOfType;

export interface Option {
  value: string;
  label?: string;
  /** Options that are no more and that this one stands for: records that held them hold it now. */
  formerly?: string[];
  /** A colour name of the interface's palette, never the only sign. */
  colour?: string;
  /** For a state field: whether a record in this state still needs work. */
  open?: boolean;
}

/** A value worked out from other fields when the record would otherwise have none. */
export interface Derivation {
  fields: string[];
  /** Keyed by the values of `fields`, joined with "|". */
  values: Record<string, Json>;
}

/** What the database notes of a record by itself: when and by whom it was made and last changed. */
export type Recorded = "createdAt" | "createdBy" | "updatedAt" | "updatedBy";

export interface Field {
  /** What the field is, whatever it is called: given when it is made and never changed. */
  id?: string;
  /** The column that holds it, chosen when it is made and kept: the change log speaks of columns. */
  column?: string;
  /** Names it had before: an edit that was written under one of them still arrives. */
  formerly?: string[];
  name: string;
  label: string;
  type: FieldType;
  help?: string;
  required?: boolean;
  unique?: boolean;
  immutable?: boolean;
  /** Kept in an index, so that views over a large table may filter and sort by it cheaply. */
  indexed?: boolean;
  default?: Json;
  /** Numbered by the database when absent: prefix and digits, e.g. INC0100001. */
  automatic?: { prefix: string; digits: number; start: number };
  derive?: Derivation;
  /**
   * What the field is worked out from, where people do not fill it: `quantity * price`. It keeps a type
   * of its own, so it is shown, filtered and sorted like any other (shared/model/expression).
   */
  expression?: string;
  /** What the field notes of its record, where neither people nor expressions fill it (shared/model/recorded.ts). */
  recorded?: Recorded;
  options?: Option[];
  /** Digits after the point of a decimal, money or percent field. */
  scale?: number;
  currency?: string;
  /** The table a link field points to. */
  target?: string;
  /** What becomes of this link when its target is deleted; refused unless told. */
  onDelete?: "refuse" | "unlink";
  minimum?: number;
  maximum?: number;
  /** What the whole of a text must look like, as a pattern that runs in linear time. */
  pattern?: string;
  /** What a person is told whose text does not fit the pattern. */
  patternHint?: string;
  /** Initial width of the column in pixels. */
  width?: number;
}

/** What must hold between the fields of a record: those that do not match are refused. */
export interface Rule {
  filter: Filter;
  /** A sentence for people: "Resolved must not be before opened." */
  message: string;
}

export interface Table {
  /** What the table is, whatever it is called: given when it is made and never changed. */
  id?: string;
  /** Names it had before. */
  formerly?: string[];
  name: string;
  label: string;
  help?: string;
  /** What one record is called, lower case: "incident". */
  recordLabel: string;
  /** The field whose value stands for a record in links and headings. */
  display: string;
  fields: Field[];
  /** The field a record takes its id from when the client gives none: a group's id is its name. */
  idFrom?: string;
  /** The field that holds the state, where the table has one. */
  stateField?: string;
  /** How the state may change; without one the state is an ordinary field. */
  workflow?: Workflow;
  /** Columns shown first, in order; the others are hidden until asked for. */
  columns: string[];
  /** Default order, `-` for descending. */
  sort: string[];
  rules?: Rule[];
}

export interface Model {
  version: number;
  tables: Table[];
}

/** The values of a record as they travel: every visible field, `null` where empty. */
export type Values = Record<string, Json>;

export function findTable(model: Model, name: string): Table | undefined {
  return model.tables.find((table) => table.name === name);
}

export function findField(table: Table, name: string): Field | undefined {
  return table.fields.find((field) => field.name === name);
}

/** A field's identity; one that was never given any is what it is called. */
export function idOfField({ id, name }: Field): string {
  return id ?? name;
}

export function idOfTable({ id, name }: Table): string {
  return id ?? name;
}

/** The kinds of all fields of a table, or of the visible ones only: what a filter may speak of. */
export function fieldKinds(table: Table, visible?: readonly string[]): Record<string, ValueKind> {
  const kinds: Record<string, ValueKind> = Object.create(null);
  for (const field of table.fields) {
    if (!visible || visible.includes(field.name)) kinds[field.name] = kindOfType[field.type];
  }
  return kinds;
}
