import { deepEqual } from "../document/deep-equal.ts";
import type { Filter } from "../filter/filter.ts";

/**
 * Whether every record that matches one filter surely matches the other. True only if equal parts of the
 * filters show it: the sets of matching records can't be compared in general.
 */
export function implies(narrow: Filter, wide: Filter): boolean {
  if (deepEqual(narrow, wide)) return true;
  if ("and" in wide) return wide.and.every((part) => implies(narrow, part));
  if ("or" in narrow) return narrow.or.every((part) => implies(part, wide));
  return (
    ("or" in wide && wide.or.some((part) => implies(narrow, part))) ||
    ("and" in narrow && narrow.and.some((part) => implies(part, wide)))
  );
}
