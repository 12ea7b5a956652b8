import { fieldsOf } from "../../filter/bind-filter.ts";
import type { Filter } from "../../filter/filter.ts";
import { renameFields } from "../../filter/rename-fields.ts";
import { readSortKey, writeSortKey } from "../../filter/sort-key.ts";
import { followOptions } from "../migrate-filter.ts";
import type { Table } from "../model.ts";
import { fieldAfter } from "../names-after.ts";
import { type Appearance, ruleNeeds } from "./appearance.ts";
import type { Grouping, ViewSettings } from "./view.ts";

/**
 * Migrates a view to the next model: it shows the same under the new names, also of options. What names a removed field is
 * taken out: a later field of its name is another one.
 */
export function migrateView(settings: ViewSettings, before: Table, after: Table): ViewSettings {
  const nameOf = (name: string) => (name === "id" ? name : fieldAfter(name, before, after));
  const isRemoved = (name: string) => nameOf(name) === undefined;
  const filter = settings.filter && withoutFields(settings.filter, isRemoved);
  const filterAfter = (one: Filter) =>
    renameFields(followOptions(one, before, after), (name) => nameOf(name) ?? name);
  return {
    filter: filter && filterAfter(filter),
    sort: settings.sort.map(readSortKey).flatMap(({ field, descending }) => {
      const name = nameOf(field);
      return name === undefined ? [] : [writeSortKey({ field: name, descending })];
    }),
    columns: settings.columns.flatMap((column) => {
      const field = nameOf(column.field);
      return field === undefined ? [] : [{ ...column, field }];
    }),
    ...(settings.grouping !== undefined && { grouping: groupingAfter(settings.grouping, nameOf) }),
    group: (settings.group !== null && nameOf(settings.group)) || null,
    ...(settings.appearance && {
      appearance: migrateAppearance(settings.appearance, nameOf, filterAfter),
    }),
  };
}

function groupingAfter(
  grouping: Grouping | null,
  nameOf: (name: string) => string | undefined,
): Grouping | null {
  const field = grouping ? nameOf(grouping.field) : undefined;
  return grouping && field !== undefined ? { ...grouping, field } : null;
}

/** A colour rule that names a removed field is dropped: the rest of its filter would colour other records. */
function migrateAppearance(
  { rules, ...rest }: Appearance,
  nameOf: (name: string) => string | undefined,
  filterAfter: (filter: Filter) => Filter,
): Appearance {
  if (!rules) return rest;
  const known = rules.filter((rule) => ruleNeeds(rule).every((field) => nameOf(field)));
  const migrated = known.map(({ filter, colour, field }) => ({
    filter: filterAfter(filter),
    colour,
    field: field === null ? null : (nameOf(field) ?? field),
  }));
  return { ...rest, rules: migrated };
}

/** The filter without the comparisons that read certain fields; null if nothing is left. */
function withoutFields(filter: Filter, isRemoved: (field: string) => boolean): Filter | null {
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
