import { readsOf } from "./expression/expression-of.ts";
import { type Field, idOfField, idOfTable, logKeyOf, type Model, type Table } from "./model.ts";
import { idOfRemoved } from "./removed-names.ts";
import { utf8Length } from "./utf8-length.ts";

/**
 * Identities, columns and keys of the log that were ever in use, by the table's id. None is reused; only a removed table that
 * is restored under its own id gets them again, and with them its history.
 */
export interface UsedNames {
  tables: readonly string[];
  /** Ids, columns and keys of fields, also of those removed long ago. */
  fields: Readonly<Record<string, readonly string[]>>;
  /** Removed tables as they last were, with the fields that they had before (removed-names.ts). */
  removed?: readonly Table[];
}

/** Former names stored per field and table; older ones are dropped. */
const FORMER_NAMES_MAX = 5;
const COLUMN_MAX_BYTES = 63;
/** Columns that every Postgres table has, the one of the record's id, and that of the order of entry. */
const systemColumns = new Set([
  "id",
  "watchfloor_entry",
  "tableoid",
  "xmin",
  "cmin",
  "xmax",
  "cmax",
  "ctid",
]);

/**
 * Assigns identities and columns to new tables and fields, and former names to renamed ones. A table or field
 * without an id is the stored one of the same name, or a new one. Columns, keys of the log and former names
 * sent by a caller are ignored.
 */
export function assignIdentities(stored: Model, next: Model, used: UsedNames): Model {
  const taken = new Set([...used.tables, ...stored.tables.map(idOfTable)]);
  const isReturning = returningIds(stored, used);
  const paired = pair(stored.tables, next.tables, idOfTable);
  const tables = next.tables.map((table, index): Table => {
    const before = paired[index];
    const { id: _, formerly: __, ...rest } = table;
    const returns = !before && table.id !== undefined && isReturning.delete(table.id);
    const nextId = table.id ?? table.name;
    const id = before ? idOfTable(before) : returns ? nextId : freshName(nextId, taken);
    const usedFields = (Object.hasOwn(used.fields, id) && used.fields[id]) || [];
    const last =
      before ?? (returns ? used.removed?.find((one) => idOfTable(one) === id) : undefined);
    const known = before?.fields ?? (returns ? returningFields(table, usedFields, last) : []);
    const fields = assignFieldIdentities(known, table.fields, usedFields);
    const named = { id, ...formerNames(before, table.name, next.tables), ...rest, fields };
    return last ? withLogKeys(last, named, usedFields) : named;
  });
  return { ...next, tables };
}

/** Removed tables: a document that contains the id of one, as an older version does, restores it. */
function returningIds(stored: Model, used: UsedNames): Set<string> {
  const present = new Set(stored.tables.map(idOfTable));
  return new Set(used.tables.filter((id) => !present.has(id)));
}

/**
 * A field's column has the name of its id (`newColumn`), so the log of a removed table still identifies its
 * fields.
 */
function returningFields({ fields }: Table, used: readonly string[], last?: Table): Field[] {
  return fields.flatMap((field) => {
    if (field.id === undefined || !used.includes(field.id)) return [];
    const { logKey: _, ...rest } = field;
    const before = last?.fields.find((one) => idOfField(one) === field.id);
    return [{ ...rest, column: field.id, ...keyOf(before) }];
  });
}

/** Gives fields that are computed without something that they were computed from another key in the log. */
function withLogKeys(last: Table, table: Table, used: readonly string[]): Table {
  const taken = new Set([...used, ...[...last.fields, ...table.fields].flatMap(namesOf)]);
  const fields = table.fields.map((field): Field => {
    const before = last.fields.find((one) => idOfField(one) === idOfField(field));
    if (!before || !hidesPast(field, table, before, last)) return field;
    return { ...field, logKey: freshName(columnOf(field), taken) };
  });
  return { ...table, fields };
}

/** Whether the past of a field reveals what its present does not. Of a removed field nobody knows what it read: its names may mean others. */
function hidesPast(field: Field, table: Table, before: Field, last: Table): boolean {
  if (before.expression === undefined) return false;
  if (idOfRemoved(before.name) !== null) return true;
  if (field.expression === undefined) return false;
  const read = new Set([...readsOf(field, table)].map(idOfField));
  return [...readsOf(before, last)].some((one) => !read.has(idOfField(one)));
}

const keyOf = (field?: Field) => (field?.logKey === undefined ? {} : { logKey: field.logKey });
const namesOf = (field: Field) => [idOfField(field), columnOf(field), logKeyOf(field)];

function assignFieldIdentities(
  stored: readonly Field[],
  next: readonly Field[],
  used: readonly string[],
): Field[] {
  const taken = new Set([...used, ...stored.flatMap(namesOf)]);
  const known = pair(stored, next, idOfField);
  return next.map((field, index): Field => {
    const before = known[index];
    const { id: _, column: __, logKey: ___, formerly: ____, ...rest } = field;
    const own = before
      ? { id: idOfField(before), column: columnOf(before), ...keyOf(before) }
      : newColumn(field.id ?? field.name, taken);
    return { ...own, ...formerNames(before, field.name, next), ...rest };
  });
}

/** The column of a field, also of one without identity. */
function columnOf({ column, name }: Field): string {
  return column ?? name;
}

function newColumn(name: string, taken: Set<string>): { id: string; column: string } {
  const column = freshName(name, taken);
  return { id: column, column };
}

/** A name similar to the wanted one that fits into a column and was never in use. */
function freshName(next: string, taken: Set<string>): string {
  for (let count = 1; ; count++) {
    const ending = count === 1 ? "" : `_${count}`;
    const name = cut(next, COLUMN_MAX_BYTES - ending.length) + ending;
    if (taken.has(name) || systemColumns.has(name)) continue;
    taken.add(name);
    return name;
  }
}

function cut(text: string, bytes: number): string {
  let remaining = text;
  while (utf8Length(remaining) > bytes) remaining = [...remaining].slice(0, -1).join("");
  return remaining;
}

/** For each wanted one its stored counterpart: by id, else by name if it has no id. */
function pair<Part extends { id?: string; name: string }>(
  stored: readonly Part[],
  next: readonly Part[],
  idOf: (part: Part) => string,
): (Part | undefined)[] {
  const byId = new Map(stored.map((part) => [idOf(part), part]));
  const claimed = new Set(next.flatMap(({ id }) => (id === undefined ? [] : [id])));
  const byName = new Map(stored.map((part) => [part.name, part]));
  return next.map(({ id, name }) => {
    if (id !== undefined) return byId.get(id);
    const same = byName.get(name);
    return same && !claimed.has(idOf(same)) ? same : undefined;
  });
}

function formerNames(
  before: { name: string; formerly?: string[] } | undefined,
  name: string,
  all: readonly { name: string }[],
): { formerly?: string[] } {
  const earlier = [...(before?.formerly ?? []), before?.name ?? name];
  const inUse = new Set(all.map((part) => part.name));
  const remaining = [...new Set(earlier)].filter((former) => !inUse.has(former));
  return remaining.length ? { formerly: remaining.slice(-FORMER_NAMES_MAX) } : {};
}
