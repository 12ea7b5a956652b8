import type { Json } from "../filter/filter.ts";
import type { Field, FieldType, Recorded, Table, Values } from "./model.ts";

/**
 * Fields that the database fills by itself: when and by whom a record was made and last changed. Like
 * `expression` this is a property: such a field has a type of its own and is found, sorted and shown like any other.
 */

/** The type that each of them has. */
export const recordedTypes: Readonly<Record<Recorded, FieldType>> = {
  createdAt: "timestamp",
  createdBy: "person",
  updatedAt: "timestamp",
  updatedBy: "person",
};

/** Whether nobody writes a field: it is worked out from others, or recorded. */
export function isReadOnly({ expression, recorded }: Field): boolean {
  return expression !== undefined || recorded !== undefined;
}

/** Whether a field tells that something of its record has changed, whatever it was. */
export function recordsChanges({ recorded }: Field): boolean {
  return recorded === "updatedAt" || recorded === "updatedBy";
}

/** Who writes a record, and when; `by` is null where that is nobody who signs in here. */
export interface Stamp {
  at: string;
  by: string | null;
}

/**
 * A record as the database will stamp it (server/store/stamps.ts), so that rules and rights are judged on
 * what an edit will leave behind. A record that comes back keeps when and by whom it was made.
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
