import { explain } from "../error-texts/explain.ts";
import type { FilterProblem } from "./check-filter.ts";
import type { FieldKinds, SortKey } from "./filter.ts";
import { isOrdered } from "./ordering.ts";
import { kindOf } from "./value-kinds.ts";

/** The most keys of a sort order. */
export const SORT_MAX_KEYS = 10;

/** The first reason why records can't be sorted in this order, or null. */
export function checkSort(sort: readonly SortKey[], kinds: FieldKinds): FilterProblem | null {
  for (const [index, { field }] of sort.entries()) {
    const kind = kindOf(kinds, field);
    const path = `/${index}/field`;
    if (!kind)
      return { path, reason: "unknown_field", ...explain("filter.unknownField", { field }) };
    if (!isOrdered(kind)) {
      return { path, reason: "op_not_usable", ...explain("filter.sort", { field }) };
    }
  }
  return null;
}
