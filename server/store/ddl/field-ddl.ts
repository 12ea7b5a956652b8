import { type RawBuilder, sql } from "kysely";
import { kindOfType } from "../../../shared/model/field-types.ts";
import type { Field, Table } from "../../../shared/model/model.ts";
import { columnType, defaultExpression, nextEntry } from "../columns.ts";
import { sortExpression } from "../filter-sql.ts";
import { columnRef, entryRef, identifier, idRef, tableRef } from "../identifiers.ts";
import { entryField, type ObjectKind, objectName } from "../object-name.ts";
import { generationSql } from "./expression-sql.ts";

/**
 * The parts of a field's column, each as the statement that creates or drops it. Columns and constants of the
 * model are always `sql.id` and `sql.lit`: what a customer typed is never part of a statement's text.
 */

export type Sql = RawBuilder<unknown>;

const named = (table: Table, field: Field, kind: ObjectKind) =>
  identifier(objectName(table, field, kind));

/** Name, type, and constraints. */
export function columnDefinition(table: Table, field: Field): Sql {
  const parts = [sql`${columnRef(field)} ${sql.raw(columnType(field))}`];
  const generated = generationSql(table, field);
  if (generated) return sql`${parts[0]} generated always as (${generated}) stored`;
  if (field.required) parts.push(sql`not null`);
  const initial = defaultExpression(table, field);
  if (initial) parts.push(sql`default ${initial}`);
  return sql.join(parts, sql` `);
}

/** From now on users fill it, beginning with the computed values. */
export function dropExpression(table: Table, field: Field): Sql {
  return sql`alter table ${tableRef(table)} alter column ${columnRef(field)} drop expression`;
}

/** A column that was added ahead (prepare-plan.ts) belongs to the model from now on. */
export function publishColumn(table: Table, field: Field): Sql {
  return sql`comment on column ${tableRef(table)}.${columnRef(field)} is null`;
}

export function createSequence(table: Table, field: Field): Sql[] {
  if (!field.automatic) return [];
  const name = named(table, field, "seq");
  return [sql`create sequence ${name} minvalue 0 start ${sql.lit(field.automatic.start)}`];
}

/**
 * Lets a sequence that exists count from the field's start, or on from where it is if that is further. Unlike `setval` it is
 * undone if the plan is not published.
 */
export function restartSequence(table: Table, field: Field): Sql[] {
  if (!field.automatic) return [];
  const name = `"${objectName(table, field, "seq")}"`;
  return [
    sql.raw(`do $$ begin
      execute format('alter sequence ${name} restart with %s',
        (select greatest(${BigInt(field.automatic.start)}, last_value + is_called::int) from ${name}));
    end $$`),
  ];
}

export function dropSequence(table: Table, field: Field): Sql[] {
  return field.automatic ? [sql`drop sequence if exists ${named(table, field, "seq")}`] : [];
}

export function setDefault(table: Table, field: Field): Sql {
  const initial = defaultExpression(table, field);
  const action = initial ? sql`set default ${initial}` : sql`drop default`;
  return sql`alter table ${tableRef(table)} alter column ${columnRef(field)} ${action}`;
}

export function setRequired(table: Table, field: Field): Sql {
  const action = field.required ? sql`set not null` : sql`drop not null`;
  return sql`alter table ${tableRef(table)} alter column ${columnRef(field)} ${action}`;
}

/** `isBuilt`: there is an index of that name already, which the constraint uses. */
export function addUnique(table: Table, field: Field, { isBuilt = false } = {}): Sql[] {
  if (!field.unique) return [];
  const name = named(table, field, "key");
  const unique = isBuilt ? sql`unique using index ${name}` : sql`unique (${columnRef(field)})`;
  return [sql`alter table ${tableRef(table)} add constraint ${name} ${unique}`];
}

export function dropUnique(table: Table, field: Field): Sql[] {
  if (!field.unique) return [];
  return [
    sql`alter table ${tableRef(table)} drop constraint if exists ${named(table, field, "key")}`,
  ];
}

/** Indexes for views, and the one that finds the links to a deleted target. */
export function indexesOf(table: Table, field: Field): { name: string; on: Sql }[] {
  const made: { name: string; on: Sql }[] = [];
  if (field.type === "link") {
    made.push({
      name: objectName(table, field, "links"),
      on: sql`${tableRef(table)} (${columnRef(field)})`,
    });
  }
  if (field.indexed) {
    const storedColumn = { expression: columnRef(field), kind: kindOfType[field.type] };
    const sorted = sortExpression(field.name, storedColumn);
    made.push({
      name: objectName(table, field, "index"),
      on: sql`${tableRef(table)} (${sorted}, ${entryRef()})`,
    });
  }
  return made;
}

/** The index of the order of entry: for views without an order of their own. */
export function entryIndex(table: Table): { name: string; on: Sql } {
  return {
    name: objectName(table, entryField, "index"),
    on: sql`${tableRef(table)} (${entryRef()})`,
  };
}

const createIndex = ({ name, on }: { name: string; on: Sql }) =>
  sql`create index ${identifier(name)} on ${on}`;

export function addIndexes(table: Table, field: Field): Sql[] {
  return indexesOf(table, field).map(createIndex);
}

export function dropIndexes(table: Table, field: Field): Sql[] {
  const kinds: ObjectKind[] = [];
  if (field.type === "link") kinds.push("links");
  if (field.indexed) kinds.push("index");
  return kinds.map((kind) => sql`drop index if exists ${named(table, field, kind)}`);
}

/** The foreign key of a link, or the trigger that empties it with its target: capture sees that as an update. */
export function addLink(table: Table, field: Field, { isValidated = true } = {}): Sql[] {
  if (field.type !== "link" || !field.target) return [];
  return [
    sql`alter table ${tableRef(table)} add constraint ${named(table, field, "link")}
      foreign key (${columnRef(field)}) references ${identifier(field.target)} (${idRef()})
      ${sql.raw(field.onDelete === "unlink" ? "on delete set null" : "")}
      ${sql.raw(isValidated ? "" : "not valid")}`,
  ];
}

export function dropLink(table: Table, field: Field): Sql[] {
  if (field.type !== "link") return [];
  return [
    sql`alter table ${tableRef(table)} drop constraint if exists ${named(table, field, "link")}`,
  ];
}

/** A table with its columns, without its links: their targets may be created later. */
export function createTable(table: Table): Sql[] {
  return [...createColumns(table), ...addKeys(table)];
}

/** The unique constraints and the indexes of a new table: created after its records, they take less time. */
export function addKeys(table: Table): Sql[] {
  return [
    createIndex(entryIndex(table)),
    ...table.fields.flatMap((field) => [...addUnique(table, field), ...addIndexes(table, field)]),
  ];
}

/** The sequence of the order of entry. No column owns it: a copy of the table by another program uses it, too. */
const entrySequence = (table: Table) => identifier(objectName(table, entryField, "seq"));

export const createEntrySequence = (table: Table) =>
  sql`create sequence if not exists ${entrySequence(table)}`;

export const dropEntrySequence = (table: Table) =>
  sql`drop sequence if exists ${entrySequence(table)}`;

/** A table with nothing but its columns. That of the order of entry is the last one, for programs that insert without naming columns. */
export function createColumns(table: Table): Sql[] {
  const columns = [
    sql`${idRef()} text collate "C" primary key default gen_random_uuid()::text`,
    ...table.fields.map((field) => columnDefinition(table, field)),
    sql`${entryRef()} bigint not null default ${nextEntry(table)}`,
  ];
  return [
    createEntrySequence(table),
    ...table.fields.flatMap((field) => createSequence(table, field)),
    // Free space on each page lets most updates stay there (HOT), so that indexes are not touched.
    sql`create table ${tableRef(table)} (${sql.join(columns)}) with (fillfactor = 85)`,
  ];
}
