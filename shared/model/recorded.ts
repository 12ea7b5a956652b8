import type { Json } from "../filter/filter.ts";
import type { FieldType } from "./field-types.ts";
import type { Field, Recorded, Table, Values } from "./model.ts";

/**
 * Fields that the database fills by itself: when and by whom a record was created and last changed. Like
 * `expression` this is a property: such a field has a type of its own and is found, sorted and shown like any
 * other.
 */

/** Their field types. */
export const recordedTypes: Readonly<Record<Recorded, FieldType>> = {
  createdAt: "timestamp",
  createdBy: "person",
  updatedAt: "timestamp",
  updatedBy: "person",
};

/** Whether nobody writes a field: it is computed or recorded. */
export function isReadOnly({ expression, recorded }: Field): boolean {
  return expression !== undefined || recorded !== undefined;
}

/** Whether a field reveals that something of its record has changed. */
export function recordsChanges({ recorded }: Field): boolean {
  return recorded === "updatedAt" || recorded === "updatedBy";
}

/** Who writes a record, and when; `by` is null if that is not a user. */
export interface Stamp {
  at: string;
  by: string | null;
}

/**
 * A record as the database will stamp it (server/store/stamps.ts), so that rules and rights are evaluated on
 * the result of an edit. A restored record preserves when and by whom it was created.
 */
export function stamped(table: Table, values: Values, stamp: Stamp, isNew: boolean): Values {
  const fields = table.fields.filter(({ recorded }) => recorded !== undefined);
  if (fields.length === 0) return values;
  const row = { ...values };
  for (const field of fields) {
    const recordedValue: Json =
      recordedTypes[field.recorded as Recorded] === "person" ? stamp.by : stamp.at;
    if (recordsChanges(field)) row[field.name] = recordedValue;
    else if (isNew) row[field.name] ??= recordedValue;
  }
  return row;
}
