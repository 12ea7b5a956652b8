import type { Filter } from "../../../../../shared/filter/filter.ts";

/** The filter with one more condition on a field, ready to be changed in the builder. */
export function addCondition(filter: Filter | null, field: string): Filter {
  const condition: Filter = { field, op: "isEmpty", value: false };
  if (filter === null) return { and: [condition] };
  return "and" in filter ? { and: [...filter.and, condition] } : { and: [filter, condition] };
}
