import type { Filter, Json } from "../../../../../shared/filter/filter.ts";

/** The filter with one more condition on a field, ready to be changed in the builder. */
export function addCondition(filter: Filter | null, field: string): Filter {
  return withCondition(filter, { field, op: "isEmpty", value: false });
}

/** The filter for records that also have this value. */
export function addValue(filter: Filter | null, field: string, value: Json): Filter {
  const condition: Filter =
    value === null ? { field, op: "isEmpty", value: true } : { field, op: "eq", value };
  return withCondition(filter, condition);
}

function withCondition(filter: Filter | null, condition: Filter): Filter {
  if (filter === null) return { and: [condition] };
  return "and" in filter ? { and: [...filter.and, condition] } : { and: [filter, condition] };
}
