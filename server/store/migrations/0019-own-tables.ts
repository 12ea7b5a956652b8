import { sql } from "kysely";
import type { Model, Table } from "../../../shared/model/model.ts";
import { columnName, columnType, idColumn } from "../columns.ts";
import type { Db } from "../database.ts";

/**
 * Records the tables that Watchfloor created (managed-tables.ts). Earlier releases took a table of another
 * program for their own if it had the right name. So an existing table is recorded only if it has the id
 * column that our DDL makes, and a column of the right type for each field.
 *
 * Adds the devices from which somebody has signed in before (sign-in-throttle.ts), as SHA-256.
 */
export async function up(db: Db): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  const { rows } = await sql<{ document: Model }>`
    select document from watchfloor.model order by version desc limit 1`.execute(db);
  for (const table of rows[0]?.document.tables ?? []) await recordIfCreatedByUs(db, table);
}

const statements = [
  `create table watchfloor.managed_table (
    relation regclass primary key,
    created_at timestamptz not null default now()
  )`,

  `create table watchfloor.known_device (
    id text primary key,
    user_id text not null references watchfloor."user" on delete cascade,
    created_at timestamptz not null default now(),
    last_used timestamptz not null default now()
  )`,
  "create index known_device_user on watchfloor.known_device (user_id, last_used)",
];

async function recordIfCreatedByUs(db: Db, table: Table): Promise<void> {
  const columns = table.fields.map((field) => [columnName(field), typeName(columnType(field))]);
  await sql`
    insert into watchfloor.managed_table (relation)
    select c.oid from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = ${idColumn}
    join pg_catalog.pg_collation o on o.oid = a.attcollation and o.collname = 'C'
    join pg_catalog.pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relkind = 'r' and c.relname = ${table.name}
      and pg_catalog.format_type(a.atttypid, a.atttypmod) = 'text'
      and pg_catalog.pg_get_expr(d.adbin, d.adrelid) like '%gen_random_uuid()%'
      and exists (select from pg_catalog.pg_trigger t
        where t.tgrelid = c.oid and t.tgname = 'watchfloor_truncate')
      and not exists (
        select from jsonb_array_elements(${JSON.stringify(columns)}::jsonb) needed
        where not exists (select from pg_catalog.pg_attribute f
          where f.attrelid = c.oid and not f.attisdropped and f.attname = needed ->> 0
            and pg_catalog.format_type(f.atttypid, f.atttypmod) = needed ->> 1))
    on conflict do nothing`.execute(db);
}

/** A column type as Postgres writes it. */
function typeName(type: string): string {
  const plain = type.replace(' collate "C"', "").replace(", ", ",");
  return plain === "timestamptz" ? "timestamp with time zone" : plain;
}
