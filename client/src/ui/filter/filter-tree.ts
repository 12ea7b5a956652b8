import type { Filter } from "../../../../shared/filter/filter.ts";
import { type FilterRow, fromTerm, toTerm } from "./filter-rows.ts";

/** How the parts of a group are joined: all of them, at least one of them, or none of them holds. */
export type GroupMode = "all" | "any" | "none";

/** Conditions that are asked together. The builder holds one, which may hold others. */
export interface FilterGroup {
  id: number;
  mode: GroupMode;
  parts: FilterPart[];
}

export type FilterPart = FilterRow | FilterGroup;

let lastId = 0;

/** An id for a new part of the builder. */
export function newPartId(): number {
  lastId += 1;
  return lastId;
}

export function isGroup(part: FilterPart): part is FilterGroup {
  return "parts" in part;
}

/** All parts that say something, as a filter; null where none does. */
export function toFilter({ mode, parts }: FilterGroup): Filter | null {
  const terms = parts
    .map((part) => (isGroup(part) ? toFilter(part) : toTerm(part)))
    .filter((term) => term !== null);
  if (terms.length === 0) return null;
  if (mode === "all") return { and: terms };
  return mode === "any" ? { or: terms } : { not: { or: terms } };
}

/**
 * The group that shows a filter. Null where that would say something else: a group without conditions
 * in the midst of others holds for all records or for none, which no row can say.
 */
export function fromFilter(filter: Filter | null): FilterGroup | null {
  if (filter === null) return { id: newPartId(), mode: "all", parts: [] };
  const shown = groupOf(filter);
  return shown && isGroup(shown) ? shown : shown && inGroup("all", [shown]);
}

/** How many conditions a filter has; one where it can't be shown as conditions. */
export function countConditions(filter: Filter | null): number {
  const count = (part: FilterPart): number =>
    isGroup(part) ? part.parts.reduce((sum, one) => sum + count(one), 0) : 1;
  const shown = fromFilter(filter);
  return shown ? count(shown) : 1;
}

function inGroup(mode: GroupMode, parts: readonly (FilterPart | null)[]): FilterGroup | null {
  const shown = parts.filter((part) => part !== null);
  if (shown.length < parts.length || shown.length === 0) return null;
  return { id: newPartId(), mode, parts: shown };
}

function groupOf(filter: Filter): FilterPart | null {
  const row = fromTerm(filter, newPartId());
  if (row) return row;
  if ("and" in filter) return inGroup("all", filter.and.map(groupOf));
  if ("or" in filter) return inGroup("any", filter.or.map(groupOf));
  if (!("not" in filter)) return null;
  const negated = filter.not;
  return inGroup("none", "or" in negated ? negated.or.map(groupOf) : [groupOf(negated)]);
}
