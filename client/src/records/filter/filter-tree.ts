import { randomId } from "@mantine/hooks";
import type { Filter } from "../../../../shared/filter/filter.ts";
import { type FilterRow, fromTerm, toTerm } from "./filter-rows.ts";

/** How the parts of a group are combined: all, at least one, or none of them match. */
export type GroupMode = "all" | "any" | "none";

/** A group of conditions, which may contain other groups. */
export interface FilterGroup {
  id: string;
  mode: GroupMode;
  parts: FilterPart[];
}

export type FilterPart = FilterRow | FilterGroup;

export function isGroup(part: FilterPart): part is FilterGroup {
  return "parts" in part;
}

/** All complete parts as a filter; null if there are none. */
export function toFilter({ mode, parts }: FilterGroup): Filter | null {
  const terms = parts
    .map((part) => (isGroup(part) ? toFilter(part) : toTerm(part)))
    .filter((term) => term !== null);
  if (terms.length === 0) return null;
  if (mode === "all") return { and: terms };
  return mode === "any" ? { or: terms } : { not: { or: terms } };
}

/**
 * The group for a filter. Null if the builder can't represent it: an empty group among others matches all records or
 * none, for which there is no row.
 */
export function fromFilter(filter: Filter | null): FilterGroup | null {
  if (filter === null) return { id: randomId(), mode: "all", parts: [] };
  const shown = groupOf(filter);
  return shown && isGroup(shown) ? shown : shown && inGroup("all", [shown]);
}

/** The number of conditions of a filter; 1 if the builder can't represent it. */
export function countConditions(filter: Filter | null): number {
  const count = (part: FilterPart): number =>
    isGroup(part) ? part.parts.reduce((sum, one) => sum + count(one), 0) : 1;
  const shown = fromFilter(filter);
  return shown ? count(shown) : 1;
}

function inGroup(mode: GroupMode, parts: readonly (FilterPart | null)[]): FilterGroup | null {
  const shown = parts.filter((part) => part !== null);
  if (shown.length < parts.length || shown.length === 0) return null;
  return { id: randomId(), mode, parts: shown };
}

function groupOf(filter: Filter): FilterPart | null {
  const row = fromTerm(filter, randomId());
  if (row) return row;
  if ("and" in filter) return inGroup("all", filter.and.map(groupOf));
  if ("or" in filter) return inGroup("any", filter.or.map(groupOf));
  if (!("not" in filter)) return null;
  const negated = filter.not;
  return inGroup("none", "or" in negated ? negated.or.map(groupOf) : [groupOf(negated)]);
}
