import type { Model } from "../../shared/model/model.ts";
import { canRead } from "./columns.ts";
import type { Db } from "./database.ts";
import { columnName, entryColumn } from "./identifiers.ts";
import { rowsOf } from "./statement.ts";

/** Another program may rename, drop or retype what the model declares; nothing prevents the owner of a database from that. */

/** A part of the published model that is not in the database as declared. */
export interface Misfit {
  table: string;
  /** Null: the whole table is missing, or the column of the order of entry. */
  field: string | null;
  /** Null: the whole table is missing. */
  column: string | null;
  /** The type of the column where that is another one; null: it is missing. */
  type: string | null;
}

/** A table does not fit the published model, so a statement by the model failed. */
export class TableMisfit extends Error {
  override readonly name = "TableMisfit";
  readonly misfits: readonly Misfit[];

  constructor(misfits: readonly Misfit[]) {
    super(misfits.slice(0, NAMED_MAX).map(sentenceOf).join(" "));
    this.misfits = misfits;
  }
}

const NAMED_MAX = 5;

/** For operators, who may know every name. */
export function sentenceOf({ table, column, type }: Misfit): string {
  if (column === null) return `Table ${table} of the model is missing.`;
  const what = type === null ? "is missing" : `has type ${type}`;
  return `Table ${table} no longer fits the model: column ${column} ${what}.`;
}

/** What of a model is not in the database as declared. */
export async function readMisfits(db: Db, { tables }: Model): Promise<Misfit[]> {
  const rows = await rowsOf<{ table: string; column: string; type: string }>(db)`
    select c.relname as "table", a.attname as "column",
      pg_catalog.format_type(a.atttypid, a.atttypmod) as type
    from pg_catalog.pg_class c join pg_catalog.pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relname = any(${tables.map(({ name }) => name)}::text[])
      and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`;
  const stored = new Map<string, Map<string, string>>();
  for (const { table, column, type } of rows) {
    const columns = stored.get(table) ?? new Map<string, string>();
    stored.set(table, columns.set(column, type));
  }
  return tables.flatMap(({ name, fields }): Misfit[] => {
    const columns = stored.get(name);
    if (!columns) return [{ table: name, field: null, column: null, type: null }];
    const ofFields = fields.flatMap((field): Misfit[] => {
      const column = columnName(field);
      const type = columns.get(column) ?? null;
      if (type !== null && canRead(field, type)) return [];
      return [{ table: name, field: field.name, column, type }];
    });
    if (columns.has(entryColumn)) return ofFields;
    return [...ofFields, { table: name, field: null, column: entryColumn, type: null }];
  });
}
