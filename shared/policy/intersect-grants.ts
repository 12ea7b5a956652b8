import type { Filter } from "../filter/filter.ts";
import type { Grant } from "./role.ts";

/** What two grants on a table both allow: the records that match both filters, and the fields that neither hides. */
export function intersectGrants(one: Grant, other: Grant): Grant {
  const both = (right: "create" | "createInAnyState" | "export" | "history" | "comment") =>
    Boolean(one[right] && other[right]);
  return {
    read: intersect(one.read, other.read, (a, b) => ({
      ...filterOf(a, b),
      hide: [...new Set([...(a.hide ?? []), ...(b.hide ?? [])])],
    })),
    create: both("create"),
    createInAnyState: both("createInAnyState"),
    update: intersect(one.update, other.update, (a, b) => ({
      ...filterOf(a, b),
      ...fieldsOf(a.fields, b.fields),
    })),
    delete: intersect(one.delete, other.delete, filterOf),
    transitions: intersect(one.transitions, other.transitions, (a, b) =>
      a.filter((name) => b.includes(name)),
    ),
    export: both("export"),
    history: both("history"),
    comment: both("comment"),
  };
}

/** Nothing if one of them grants nothing; the restricted one if the other grants everything. */
function intersect<T>(
  one: boolean | T | undefined,
  other: boolean | T | undefined,
  join: (one: T, other: T) => T,
): boolean | T {
  if (!one || !other) return false;
  if (one === true) return other;
  return other === true ? one : join(one, other);
}

function filterOf(one: { filter?: Filter }, other: { filter?: Filter }): { filter?: Filter } {
  const filters = [one.filter, other.filter].filter((filter) => filter !== undefined);
  const [first] = filters;
  if (!first) return {};
  return { filter: filters.length > 1 ? { and: filters } : first };
}

/** Without a list all fields may be written. */
function fieldsOf(one: string[] | undefined, other: string[] | undefined): { fields?: string[] } {
  if (!one || !other) return one || other ? { fields: one ?? other ?? [] } : {};
  return { fields: one.filter((name) => other.includes(name)) };
}
