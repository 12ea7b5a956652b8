import type { Filter, Json, ValueKind } from "../filter/filter.ts";
import type { Workflow } from "./workflow.ts";

/**
 * The model: what a customer declares for itself, as one versioned document. The platform enforces it; no
 * customer writes code for it.
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
  /** Removed options that this one replaces: records that held them hold it now. */
  formerly?: string[];
  /** A colour name of the interface's palette, never the only signal. */
  colour?: string;
  /** For a state field: whether a record in this state counts as open. */
  open?: boolean;
}

/** A value derived from other fields if the record would otherwise have none. */
export interface Derivation {
  fields: string[];
  /** Keyed by the values of `fields`, joined with "|". */
  values: Record<string, Json>;
}

/** What the database records by itself: when and by whom a record was created and last changed. */
export type Recorded = "createdAt" | "createdBy" | "updatedAt" | "updatedBy";

export interface Field {
  /** The identity, independent of the name: assigned at creation and never changed. */
  id?: string;
  /** The column, chosen at creation and never changed: the change log refers to columns. */
  column?: string;
  /** Former names: an edit that was written under one of them is still applied. */
  formerly?: string[];
  name: string;
  label: string;
  type: FieldType;
  help?: string;
  required?: boolean;
  unique?: boolean;
  immutable?: boolean;
  /** Indexed, so that views over a large table may filter and sort by it cheaply. */
  indexed?: boolean;
  default?: Json;
  /** Numbered by the database if absent: prefix and digits, e.g. INC0100001. */
  automatic?: { prefix: string; digits: number; start: number };
  derive?: Derivation;
  /**
   * The expression that computes the field: `quantity * price`. The field has a type of its own, so it is
   * shown, filtered and sorted like any other (shared/model/expression).
   */
  expression?: string;
  /** What the database records in the field (shared/model/recorded.ts). */
  recorded?: Recorded;
  options?: Option[];
  /** Digits after the point of a decimal, money or percent field. */
  scale?: number;
  currency?: string;
  /** The table a link field points to. */
  target?: string;
  /** What happens to this link when its target is deleted; the deletion is refused by default. */
  onDelete?: "refuse" | "unlink";
  minimum?: number;
  maximum?: number;
  /** A pattern for the whole text, which runs in linear time. */
  pattern?: string;
  /** The sentence shown if a text does not match the pattern. */
  patternHint?: string;
  /** Initial width of the column in pixels. */
  width?: number;
}

/** A rule between the fields of a record: records that do not match are refused. */
export interface Rule {
  filter: Filter;
  /** A sentence for users: "Resolved must not be before opened." */
  message: string;
}

export interface Table {
  /** The identity, independent of the name: assigned at creation and never changed. */
  id?: string;
  /** Former names. */
  formerly?: string[];
  name: string;
  label: string;
  help?: string;
  /** The name of one record, lower case: "incident". */
  recordLabel: string;
  /** The field that names a record in links and headings. */
  display: string;
  fields: Field[];
  /** The field from which a record takes its id if the client gives none: a group's id is its name. */
  idFrom?: string;
  /** The state field, if the table has one. */
  stateField?: string;
  /** How the state may change; without it the state is an ordinary field. */
  workflow?: Workflow;
  /** Columns shown first, in order; the others are hidden by default. */
  columns: string[];
  /** Default order, `-` for descending. */
  sort: string[];
  rules?: Rule[];
}

export interface Model {
  version: number;
  tables: Table[];
}

/** The values of a record on the wire: every visible field, `null` where empty. */
export type Values = Record<string, Json>;

export function findTable(model: Model, name: string): Table | undefined {
  return model.tables.find((table) => table.name === name);
}

export function findField(table: Table, name: string): Field | undefined {
  return table.fields.find((field) => field.name === name);
}

/** A field's identity; its name if it has none. */
export function idOfField({ id, name }: Field): string {
  return id ?? name;
}

export function idOfTable({ id, name }: Table): string {
  return id ?? name;
}

/** The kinds of all fields of a table, or of the visible ones only: what a filter may name. */
export function fieldKinds(table: Table, visible?: readonly string[]): Record<string, ValueKind> {
  const kinds: Record<string, ValueKind> = Object.create(null);
  for (const field of table.fields) {
    if (!visible || visible.includes(field.name)) kinds[field.name] = kindOfType[field.type];
  }
  return kinds;
}
