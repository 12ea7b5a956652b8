import { sql } from "kysely";
import type { Db } from "../database.ts";
import { identifier } from "../identifiers.ts";
import { requireOwnSchema } from "../schema/migrate.ts";
import { execute, rowOf, rowsOf } from "../statement.ts";
import { BackupError } from "./backup-error.ts";

/** Checks the database that a backup is restored into, and removes what Watchfloor has in it. */

const POSTGRES_MIN = 150_000;

/** Throws unless a backup may be restored here. A server that was started but not set up has left nothing. */
export async function requireTarget(kysely: Db, { replace }: { replace: boolean }): Promise<void> {
  const rows = await rowsOf<{ version: number; model: boolean; user: boolean }>(kysely)`
    select current_setting('server_version_num')::int as version,
      to_regclass('watchfloor.model') is not null as model,
      to_regclass('watchfloor."user"') is not null as "user"`;
  const [found] = rows;
  if (!found || found.version < POSTGRES_MIN) {
    throw new BackupError("The database is older than Postgres 15. Nothing was changed.");
  }
  // The schema of a newer Watchfloor may be replaced, which reverts an upgrade.
  if (!found.model || !found.user) return requireOwnSchema({ kysely });
  const held = await rowsOf<{ users: number; tables: number }>(kysely)`
    select (select count(*) from watchfloor."user")::int as users,
      (select count(*) from watchfloor.feed where table_name is not null)::int as tables`;
  const { users = 0, tables = 0 } = held[0] ?? {};
  if (replace || users + tables === 0) return;
  throw new BackupError(
    `The database already has an installation (users: ${users}, tables: ${tables}). Use --replace to delete it and restore the backup in its place. Nothing was changed.`,
  );
}

/**
 * Removes the schema `watchfloor` and every table that Watchfloor created. Tables of other programs stay; if
 * their objects depend on what would be removed, throws.
 */
export async function clearTarget(trx: Db): Promise<void> {
  const rows = await rowsOf<{ exists: boolean; empty: boolean; tables: boolean }>(trx)`
    select exists (select from pg_catalog.pg_namespace where nspname = 'watchfloor') as exists,
      to_regclass('watchfloor.model') is null as empty,
      to_regclass('watchfloor.managed_table') is not null as tables`;
  const [schema] = rows;
  if (schema?.tables) await dropManagedTables(trx);
  if (schema?.exists && !schema.empty) {
    await requireNoDependents(trx);
    await execute(trx)`drop schema watchfloor cascade`;
  }
  await execute(trx)`create schema if not exists watchfloor`;
}

/**
 * In one statement, because they link to each other. Of the sequences that defaults use only those named by object-name.ts
 * are ours: another program may have added a column with its own.
 */
async function dropManagedTables(trx: Db): Promise<void> {
  const tables = await rowsOf<{ name: string; schema: string }>(trx)`
    select c.relname as name, c.relnamespace::regnamespace::text as schema
    from watchfloor.managed_table m join pg_catalog.pg_class c on c.oid = m.relation`;
  if (tables.length === 0) return;
  const sequences = await rowsOf<{ name: string; schema: string }>(trx)`
    select distinct s.relname as name, s.relnamespace::regnamespace::text as schema
    from watchfloor.managed_table m
    join pg_catalog.pg_attrdef a on a.adrelid = m.relation
    join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_attrdef'::regclass and d.objid = a.oid
      and d.refclassid = 'pg_catalog.pg_class'::regclass
    join pg_catalog.pg_class s on s.oid = d.refobjid and s.relkind = 'S'
    where s.relname ~ '_[0-9a-f]{10}_seq$'`;
  const names = (found: typeof tables) =>
    sql.join(found.map(({ schema, name }) => identifier(schema, name)));
  await execute(trx)`drop table ${names(tables)}`;
  if (sequences.length) await execute(trx)`drop sequence ${names(sequences)}`;
}

/** `cascade` would drop them silently, and it is needed for the triggers on tables of other programs. */
async function requireNoDependents(trx: Db): Promise<void> {
  const row = await rowOf<{ name: string; reads: string }>(trx)`
    select 'The view ' || v.oid::regclass::text as name, 'reads' as reads
    from pg_catalog.pg_class c
    join pg_catalog.pg_depend d on d.refclassid = 'pg_catalog.pg_class'::regclass and d.refobjid = c.oid
    join pg_catalog.pg_rewrite r on d.classid = 'pg_catalog.pg_rewrite'::regclass and r.oid = d.objid
    join pg_catalog.pg_class v on v.oid = r.ev_class and v.relnamespace <> c.relnamespace
    where c.relnamespace = 'watchfloor'::regnamespace
    union all
    select 'The foreign key ' || quote_ident(k.conname) || ' of ' || o.oid::regclass::text, 'refers to'
    from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.confrelid
    join pg_catalog.pg_class o on o.oid = k.conrelid and o.relnamespace <> c.relnamespace
    where k.contype = 'f' and c.relnamespace = 'watchfloor'::regnamespace
    limit 1`;
  if (!row) return;
  throw new BackupError(
    `${row.name} ${row.reads} tables that would be replaced: drop it first. Nothing was changed.`,
  );
}
