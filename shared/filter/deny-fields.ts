import { fieldsOf } from "./bind-filter.ts";
import type { Filter } from "./filter.ts";

/**
 * The filter with the comparisons that read certain fields replaced by constants, so that the whole can only
 * match fewer records than with any values of those fields.
 */
export function denyFields(filter: Filter, isRemoved: (field: string) => boolean): Filter {
  return deny(filter, isRemoved, false);
}

function deny(filter: Filter, isRemoved: (field: string) => boolean, negated: boolean): Filter {
  if ("not" in filter) return { not: deny(filter.not, isRemoved, !negated) };
  if ("and" in filter) return { and: filter.and.map((part) => deny(part, isRemoved, negated)) };
  if ("or" in filter) return { or: filter.or.map((part) => deny(part, isRemoved, negated)) };
  if (![...fieldsOf(filter)].some(isRemoved)) return filter;
  return negated ? { and: [] } : { or: [] };
}
