import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import type { Json } from "../../../../shared/filter/filter.ts";
import { isEmptyValue } from "../../../../shared/filter/value-kinds.ts";
import { kindOfType } from "../../../../shared/model/field-types.ts";
import type { Field } from "../../../../shared/model/model.ts";

/** Whether a field's value is shown as empty. */
export function isEmptyOf({ type }: Field, value: Json | undefined): boolean {
  return isEmptyValue(kindOfType[type], value ?? null) || (value === "" && type !== "json");
}

/** Whether two values are equal for a user. */
export function isSameValue(a: Json | undefined, b: Json | undefined): boolean {
  return deepEqual(a ?? null, b ?? null);
}
