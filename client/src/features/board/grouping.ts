import type { Filter } from "../../../../shared/filter/filter.ts";
import type { Field, Table, Values } from "../../../../shared/model/model.ts";
import { governedBy } from "../../../../shared/model/state-of.ts";
import { boardFields } from "../../../../shared/model/view/board-fields.ts";
import { boardMessages as messages } from "../../messages/en/board.ts";
import { optionLabel } from "../../records/fields/format-value.ts";

/** The value of a column: an option of the field, or null for records without one. */
export type ColumnValue = string | null;

/** How a board is grouped. */
export interface Grouping {
  field: Field;
  /** The field is the state of a workflow: every record has one, and it changes only by transitions. */
  isState: boolean;
  /** From left to right. */
  values: readonly ColumnValue[];
}

/** The grouping by a field, or by the table's first field with options if it can't be used; null if there is none. */
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
 * The `group` setting of a view for a field: null for the table's first field, and the saved setting if it has the same
 * meaning.
 */
export function groupName(table: Table, field: Field, saved: string | null): string | null {
  if (groupingOf(table, saved)?.field.name === field.name) return saved;
  return groupingOf(table, null)?.field.name === field.name ? null : field.name;
}

/** The column of a record. */
export function columnOf({ field }: Grouping, values: Readonly<Values>): ColumnValue {
  const value = values[field.name];
  return typeof value === "string" && value !== "" ? value : null;
}

/** The label of a column. */
export function columnLabel(field: Field, value: ColumnValue): string {
  return value === null ? messages.noValue() : optionLabel(field, value);
}

/** The filter for the records of a column, combined with that of the view. */
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
