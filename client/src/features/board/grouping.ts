import type { Filter } from "../../../../shared/filter/filter.ts";
import type { Field, Table, Values } from "../../../../shared/model/model.ts";
import { governedBy } from "../../../../shared/model/state-of.ts";
import { boardFields } from "../../../../shared/model/view/board-fields.ts";
import { optionLabel } from "../../ui/fields/format-value.ts";

/** What a column holds: an option of the field, or null for the records without any. */
export type ColumnValue = string | null;

/** By what a board stands in columns. */
export interface Grouping {
  field: Field;
  /** The state of a workflow: every record has one, and it changes only by moves. */
  isState: boolean;
  /** From left to right. */
  values: readonly ColumnValue[];
}

/** The grouping by the wanted field, or by the table's first where that can't be; null where there is none at all. */
export function groupingOf(table: Table, fieldName: string | null): Grouping | null {
  const fields = boardFields(table);
  const field = fields.find(({ name }) => name === fieldName) ?? fields[0];
  if (!field) return null;
  const governed = governedBy(table);
  if (field.name === governed?.stateField) {
    return { field, isState: true, values: governed.workflow.states.map(({ value }) => value) };
  }
  const options = (field.options ?? []).map(({ value }) => value);
  return { field, isState: false, values: [...options, null] };
}

/**
 * What a view says that is grouped by a field: nothing where it is the table's first, and what the saved one
 * says where that means the same.
 */
export function groupName(table: Table, field: Field, saved: string | null): string | null {
  if (groupingOf(table, saved)?.field.name === field.name) return saved;
  return groupingOf(table, null)?.field.name === field.name ? null : field.name;
}

/** The column in which a record stands. */
export function columnOf({ field }: Grouping, values: Readonly<Values>): ColumnValue {
  const value = values[field.name];
  return typeof value === "string" && value !== "" ? value : null;
}

/** What a column is called. */
export function columnLabel(field: Field, value: ColumnValue): string {
  return value === null ? "No value" : optionLabel(field, value);
}

/** The records of a column, among those that the view shows. */
export function columnFilter(
  filter: Filter | null,
  { field }: Grouping,
  value: ColumnValue,
): Filter {
  const own: Filter =
    value === null
      ? { field: field.name, op: "isEmpty", value: true }
      : { field: field.name, op: "eq", value };
  return filter ? { and: [own, filter] } : own;
}
