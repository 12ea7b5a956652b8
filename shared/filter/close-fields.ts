import { fieldsOf } from "./bind-filter.ts";
import type { Filter } from "./filter.ts";

/**
 * The filter with the comparisons that read certain fields replaced by constants, so that the whole can only
 * match fewer records than with any values of those fields.
 */
export function closeFields(filter: Filter, isGone: (field: string) => boolean): Filter {
  return close(filter, isGone, false);
}

function close(filter: Filter, isGone: (field: string) => boolean, negated: boolean): Filter {
  if ("not" in filter) return { not: close(filter.not, isGone, !negated) };
  if ("and" in filter) return { and: filter.and.map((part) => close(part, isGone, negated)) };
  if ("or" in filter) return { or: filter.or.map((part) => close(part, isGone, negated)) };
  if (![...fieldsOf(filter)].some(isGone)) return filter;
  return negated ? { and: [] } : { or: [] };
}
