import type { FieldKinds, Json, ValueKind } from "./filter.ts";

/** The record's own id, which every table has and every filter and order may name. */
export const ID_FIELD = "id";

/** The kind of a field, or undefined if there is no such field for this reader. */
export function kindOf(kinds: FieldKinds, field: string): ValueKind | undefined {
  if (field === ID_FIELD) return "text";
  return Object.hasOwn(kinds, field) ? kinds[field] : undefined;
}

/**
 * What counts as empty, everywhere: null, and the kind's own empty value. The empty text and the empty list are values of
 * JSON like others.
 */
export function isEmptyValue(kind: ValueKind, value: Json): boolean {
  if (value === null) return true;
  if (kind === "text") return value === "";
  return kind === "list" && Array.isArray(value) && value.length === 0;
}

/** Whether the values of two kinds can be compared. */
export function areComparable(a: ValueKind, b: ValueKind): boolean {
  return family(a) === family(b) && a !== "json";
}

function family(kind: ValueKind): ValueKind {
  return kind === "integer" ? "decimal" : kind;
}
