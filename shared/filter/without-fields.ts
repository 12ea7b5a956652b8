import { fieldsOf } from "./bind-filter.ts";
import type { Filter } from "./filter.ts";

/** The filter without the comparisons that read certain fields; null if nothing is left. */
export function withoutFields(
  filter: Filter,
  isRemoved: (field: string) => boolean,
): Filter | null {
  if ("not" in filter) {
    const part = withoutFields(filter.not, isRemoved);
    return part && { not: part };
  }
  if ("field" in filter) return [...fieldsOf(filter)].some(isRemoved) ? null : filter;
  const parts = "and" in filter ? filter.and : filter.or;
  const left = parts.flatMap((part) => withoutFields(part, isRemoved) ?? []);
  if (left.length === 0 && parts.length > 0) return null;
  return "and" in filter ? { and: left } : { or: left };
}
