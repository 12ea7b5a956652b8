import { fieldsOf, mapComparisons } from "./bind-filter.ts";
import type { Filter } from "./filter.ts";

/**
 * The filter with the comparisons that read certain fields replaced by constants, so that the whole can only
 * match fewer records than with any values of those fields.
 */
export function denyFields(filter: Filter, isRemoved: (field: string) => boolean): Filter {
  return mapComparisons(filter, (one, denied) =>
    [...fieldsOf(one)].some(isRemoved) ? denied : one,
  );
}
