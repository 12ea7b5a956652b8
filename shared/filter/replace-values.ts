import { mapComparisons } from "./bind-filter.ts";
import type { Comparison, Filter, Json } from "./filter.ts";

/** Returns the new name of a compared value. `negated` says whether a match excludes the record. */
type ReplaceValue = (field: string, value: string, negated: boolean) => string;

/** A filter with its values renamed. */
export function replaceValues(filter: Filter, replace: ReplaceValue): Filter {
  return mapComparisons(filter, (one, _denied, negated) => replaceIn(one, replace, negated));
}

const excluding: ReadonlySet<Comparison["op"]> = new Set(["ne", "nin"]);
const byValue: ReadonlySet<Comparison["op"]> = new Set(["eq", "ne", "in", "nin", "contains"]);

function replaceIn(comparison: Comparison, replace: ReplaceValue, negated: boolean): Comparison {
  const { field, op, value } = comparison;
  if (value === undefined || !byValue.has(op)) return comparison;
  const isExcluding = excluding.has(op) !== negated;
  const now = (one: Json) => (typeof one === "string" ? replace(field, one, isExcluding) : one);
  return { ...comparison, value: Array.isArray(value) ? value.map(now) : now(value) };
}
