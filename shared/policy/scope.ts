import { bindFilter } from "../filter/bind-filter.ts";
import type { Filter, Json } from "../filter/filter.ts";
import { inputsOf } from "../model/expression/expression-of.ts";
import type { Field, Table } from "../model/model.ts";
import { recordsChanges } from "../model/recorded.ts";
import { grantOn, type Role } from "./role.ts";

/** The user behind a call, as far as rights are concerned. */
export interface Subject {
  id: string;
  role: Role;
  attributes: Readonly<Record<string, Json>>;
}

/**
 * What a connection may read of a table: the row filter with the user's attributes bound, and the visible
 * fields. Everyone with an equal scope shares one scope group, and a change is evaluated, projected and
 * encoded once per scope.
 */
export interface Scope {
  table: string;
  filter: Filter | null;
  fields: readonly string[];
  /** Whether the role hides no field of the table, also none that the model has no longer. */
  hidesNothing: boolean;
}

/** The scope of a user on a table; null if the role may not read it at all. */
export function scopeOf(subject: Subject, table: Table): Scope | null {
  const read = grantOn(subject.role, table).read;
  if (!read) return null;
  const { filter, hide = [] } = read === true ? {} : read;
  return {
    table: table.name,
    filter: filter ? bindRights(filter, subject) : null,
    fields: readableFields(table, (field) => !isHidden(field, hide)),
    hidesNothing: hide.length === 0,
  };
}

/**
 * The names of the readable fields, if not all. A field computed or derived from a hidden field would reveal
 * its value, and is hidden too. So is when and by whom a record was last changed: it would reveal every
 * change of a hidden field.
 */
export function readableFields(table: Table, isShown: (field: Field) => boolean): string[] {
  const showsAll = table.fields.every(isShown);
  const isReadable = (field: Field) => {
    const made = [field, ...inputsOf(field, table)];
    return made.every(isShown) && !made.some(recordsChanges);
  };
  return table.fields.filter((field) => showsAll || isReadable(field)).map(({ name }) => name);
}

/** A renamed field stays hidden under its old name. */
export function isHidden({ name, formerly = [] }: Field, hide: readonly string[]): boolean {
  return [name, ...formerly].some((one) => hide.includes(one));
}

/** Binds a user's attributes into a row right. Row rights can't use the clock: the time does not matter. */
export function bindRights(filter: Filter, { id, attributes }: Subject): Filter {
  return bindFilter(filter, { me: { id, attributes }, now: "1970-01-01T00:00:00Z" });
}

/** One text for equal scopes and different ones for others: the key of scope groups. */
export function scopeKey(scope: Scope): string {
  const { table, filter, fields, hidesNothing } = scope;
  return JSON.stringify([table, filter, [...fields].sort(), hidesNothing]);
}
