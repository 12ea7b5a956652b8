import type { z } from "zod";
import type { Json, ValueKind } from "../filter/filter.ts";
import { kindOfType } from "./field-types.ts";
import type {
  derivationSchema,
  fieldSchema,
  modelSchema,
  optionSchema,
  ruleSchema,
  tableSchema,
} from "./model-schema.ts";

/**
 * The model: what a customer declares for itself, as one versioned document. The platform enforces it; no
 * customer writes code for it. model-schema.ts says what each property means.
 */

export type Model = z.infer<typeof modelSchema>;
export type Table = z.infer<typeof tableSchema>;
/** A rule between the fields of a record: records that do not match are refused. */
export type Rule = z.infer<typeof ruleSchema>;
export type Field = z.infer<typeof fieldSchema>;
export type Option = z.infer<typeof optionSchema>;
/** A value derived from other fields if the record would otherwise have none. */
export type Derivation = z.infer<typeof derivationSchema>;
export type Recorded = NonNullable<Field["recorded"]>;

/** The values of a record on the wire: every visible field, `null` where empty. */
export type Values = Record<string, Json>;

/** Where days begin in an installation. */
export function zoneOf({ zone = "UTC" }: Pick<Model, "zone">): string {
  return zone;
}

export function findTable(model: Model, name: string): Table | undefined {
  return model.tables.find((table) => table.name === name);
}

/** Where fields were found in a list. A list that is edited in place may have moved them, so each place is checked. */
const foundAt = new WeakMap<readonly Field[], Map<string, number>>();

/** Takes no longer the more fields a table has: for every value of a record its field is asked for, several times. */
export function findField({ fields }: Pick<Table, "fields">, name: string): Field | undefined {
  const places = foundAt.get(fields) ?? new Map<string, number>();
  const found = fields[places.get(name) ?? -1];
  if (found?.name === name) return found;
  const at = fields.findIndex((field) => field.name === name);
  if (at >= 0) foundAt.set(fields, places.set(name, at));
  return fields[at];
}

/** A field's identity; its name if it has none. */
export function idOfField({ id, name }: Field): string {
  return id ?? name;
}

/**
 * The key under which the change log has a field's values: its column, until the field is computed without something that it
 * was computed from. Its earlier values, which reveal that, stay in the log under a key that no field has any more, as those
 * of a removed field do, and so leave the server by no path.
 */
export function logKeyOf({ logKey, column, name }: Field): string {
  return logKey ?? column ?? name;
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
