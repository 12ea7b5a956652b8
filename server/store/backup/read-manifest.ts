import type { Model, Table } from "../../../shared/model/model.ts";
import type { Db } from "../database.ts";
import { columnName, entryColumn, idColumn } from "../identifiers.ts";
import { entryField, objectName } from "../object-name.ts";
import { rowOf, rowsOf } from "../statement.ts";
import { listEncrypted } from "../stored-secrets.ts";
import { type BackedUpTable, FORMAT, type Manifest } from "./manifest.ts";

/**
 * Tables of the platform whose rows are not in a backup: what belongs to one database (its id, its migrations,
 * its own tables), and what signs somebody in or is valid once.
 */
const leftOut = [
  "migration",
  "migration_lock",
  "managed_table",
  "installation",
  "session",
  "setup_token",
  "invitation",
  "password_reset",
  "passkey_challenge",
  "provider_visit",
  "logout_token",
  "display_pairing",
  "scheduled_backup",
];

/** The columns of a table of the model, which are those that are not computed, and the number in the order of entry. */
export const storedColumns = ({ fields }: Table): string[] => [
  idColumn,
  ...fields.filter(({ expression }) => expression === undefined).map(columnName),
  entryColumn,
];

/** The tables to lock and to read: platform tables in the order of their foreign keys, then those of the model. */
export async function readTables(db: Db, model: Model): Promise<BackedUpTable[]> {
  return [
    ...(await readPlatformTables(db)),
    ...model.tables.map((table) => ({
      schema: "public" as const,
      name: table.name,
      columns: storedColumns(table),
    })),
  ];
}

interface PlatformTable {
  name: string;
  columns: string[];
  references: string[];
}

/** Unlogged tables are lost by every crash, and are not backed up either. */
async function readPlatformTables(db: Db): Promise<BackedUpTable[]> {
  const rows = await rowsOf<PlatformTable>(db)`
    select c.relname as name,
      array(select a.attname::text from pg_catalog.pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum) as columns,
      array(select t.relname::text from pg_catalog.pg_constraint k
        join pg_catalog.pg_class t on t.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as references
    from pg_catalog.pg_class c
    where c.relnamespace = 'watchfloor'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
      and c.relname <> all(${leftOut}::text[])
    order by c.relname`;
  const sorted: BackedUpTable[] = [];
  const add = ({ name, columns, references }: PlatformTable) => {
    if (sorted.some((table) => table.name === name)) return;
    for (const row of rows) if (references.includes(row.name)) add(row);
    sorted.push({ schema: "watchfloor", name, columns });
  };
  rows.forEach(add);
  return sorted;
}

/** Read in the snapshot that the rows are read in. */
export async function readManifest(db: Db, model: Model, version: string): Promise<Manifest> {
  const row = await rowOf<{ at: string; migrations: string[] }>(db)`
    select to_jsonb(now()) #>> '{}' as at,
      array(select name from watchfloor.migration order by name) as migrations`;
  return {
    format: FORMAT,
    version,
    createdAt: row?.at ?? "",
    migrations: row?.migrations ?? [],
    modelVersion: model.version,
    tables: await readTables(db, model),
    sequences: await readSequences(db, model),
    encrypted: await readEncrypted(db),
    omitted: await readOmitted(db, model),
  };
}

/** They may be ahead of the snapshot, because a sequence is in no transaction, but never behind it. */
function readSequences(db: Db, model: Model): Promise<Manifest["sequences"]> {
  const ofFields = model.tables.flatMap((table) =>
    [entryField, ...table.fields.filter(({ automatic }) => automatic)].map((field) =>
      objectName(table, field, "seq"),
    ),
  );
  return rowsOf<Manifest["sequences"][number]>(db)`
    select case schemaname when 'watchfloor' then 'watchfloor' else 'public' end as schema,
      sequencename as name, last_value::text as value
    from pg_catalog.pg_sequences
    where last_value is not null and (schemaname = 'watchfloor'
      or (schemaname = current_schema() and sequencename = any(${ofFields}::text[])))
    order by 1, 2`;
}

/** One of them, which shows whether a key is theirs. */
export async function readEncrypted(db: Db): Promise<Manifest["encrypted"]> {
  const [first] = await listEncrypted(db);
  return first ? { secret: first.secret, owner: first.owner } : null;
}

/** Columns that another program added to a table of the model. */
async function readOmitted(db: Db, { tables }: Model): Promise<string[]> {
  const known = tables.flatMap(({ name, fields }) =>
    [idColumn, entryColumn, ...fields.map(columnName)].map((column) => [name, column]),
  );
  const rows = await rowsOf<{ name: string }>(db)`
    select c.relname || '.' || a.attname as name
    from pg_catalog.pg_class c join pg_catalog.pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and a.attnum > 0 and not a.attisdropped
      and c.relname = any(${tables.map(({ name }) => name)}::text[])
      and not jsonb_build_array(c.relname, a.attname) <@ any(
        select jsonb_array_elements(${JSON.stringify(known)}::jsonb))
    order by 1`;
  return rows.map(({ name }) => name);
}
