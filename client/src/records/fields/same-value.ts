import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import type { Json } from "../../../../shared/filter/filter.ts";

/** Whether two values are equal for a user. All empty values are equal. */
export function isSameValue(a: Json | undefined, b: Json | undefined): boolean {
  return deepEqual(a ?? null, b ?? null);
}
