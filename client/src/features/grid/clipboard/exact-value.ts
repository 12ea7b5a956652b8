import type { Json } from "../../../../../shared/filter/filter.ts";
import type { FieldType } from "../../../../../shared/model/field-types.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { normalizeValue } from "../../../../../shared/model/normalize-value.ts";
import { isNumberType } from "../../../records/fields/number-text.ts";
import { type Parsed, parseInput } from "../../../records/fields/typed-text.ts";

/** A value as it was copied in the product, with the type of its field. */
export interface ExactValue {
  type: string;
  value: Json;
}

/** The type of a field, as far as copied values depend on it. */
export function exactType({ type, target }: Field): string {
  return `${type}:${target ?? ""}`;
}

/**
 * A value that was copied in the product, as one of this field; null where only its text can be read. A number is read
 * from its digits in a number field of any type and scale, never by the locale.
 */
export function readExactValue(field: Field, exact: ExactValue | null): Parsed | null {
  if (exact === null) return null;
  const { type, value } = exact;
  const isDigits = typeof value === "string" || typeof value === "number";
  if (isDigits && isNumberType(field.type) && isNumberType(type.replace(/:$/, "") as FieldType)) {
    return parseInput(field, String(value), ".");
  }
  // The options of the field may differ from those of the field that was copied.
  const isSame = type === exactType(field) && normalizeValue(field, value).ok;
  return isSame ? { ok: true, value } : null;
}
