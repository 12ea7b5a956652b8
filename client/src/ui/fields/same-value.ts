import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import type { Json } from "../../../../shared/filter/filter.ts";

/** Whether two values are the same to a person; empty is empty, however it is written. */
export function isSameValue(a: Json | undefined, b: Json | undefined): boolean {
  return deepEqual(a ?? null, b ?? null);
}
