import type { Field, Table, Values } from "./model.ts";
import { isReadOnly } from "./recorded.ts";
import { governedBy } from "./state-of.ts";

/**
 * The fields that a user must fill before a record can be created: required ones that nothing else fills, and
 * the one that the record takes its id from. The server validates the whole record again.
 */
export function neededFields(table: Table, values: Readonly<Values>): Field[] {
  const state = governedBy(table)?.stateField;
  return table.fields.filter((field) => {
    const isNeeded = field.required === true || field.name === table.idFrom;
    const isFilled = (values[field.name] ?? null) !== null;
    return isNeeded && !isFilled && field.name !== state && !fillsItself(field);
  });
}

function fillsItself(field: Field): boolean {
  const { default: initial = null, automatic, derive } = field;
  return isReadOnly(field) || initial !== null || automatic !== undefined || derive !== undefined;
}
