import { type RawBuilder, sql } from "kysely";
import pg from "pg";
import type { Field, Table } from "../../shared/model/model.ts";

/**
 * Names that a statement learns when it is made: of customers' tables and columns, and of the objects that belong to them. A customer may have
 * typed anything: a name is quoted here and nowhere else, as a whole, and never becomes part of a statement's text in another way (e2e/lint/one-way.ts).
 */

export const idColumn = "id";

/**
 * A record's number in the order of entry (ADR 58): in every table that Watchfloor creates, and no field of it. A field that
 * is called so gets another column (shared/model/assign-identities.ts).
 */
export const entryColumn = "watchfloor_entry";

/** Chosen when the field was created, and unchanged by renames. */
export function columnName({ column, name }: Field): string {
  return column ?? name;
}

/** A name, or one within a schema or a row: `identifier("public", name)`. */
export const identifier = (...names: [string, ...string[]]): RawBuilder<unknown> =>
  sql.id(...names);

/** The table of that name on the search path, which is the customer's schema (database.ts). */
export const tableRef = ({ name }: Pick<Table, "name">): RawBuilder<unknown> => identifier(name);

/** The column of a field; of the row that `alias` names, if it is given. */
export const columnRef = (field: Field, alias?: string): RawBuilder<unknown> =>
  alias === undefined ? identifier(columnName(field)) : identifier(alias, columnName(field));

/** The record's id in the same way. */
export const idRef = (alias?: string): RawBuilder<unknown> =>
  alias === undefined ? identifier(idColumn) : identifier(alias, idColumn);

/** The record's number in the order of entry in the same way. */
export const entryRef = (alias?: string): RawBuilder<unknown> =>
  alias === undefined ? identifier(entryColumn) : identifier(alias, entryColumn);

/** A quoted name as text: for `::regclass`, and for statements of a connection that is not the query builder's. */
export const quoted = (...names: [string, ...string[]]): string =>
  names.map(pg.escapeIdentifier).join(".");
