import type { Db } from "../database.ts";
import { ago, countOf, rowCount, rowOf, rowsOf } from "../statement.ts";

/** What `watchfloor doctor` reads of a database. It writes nothing, and reads no record. */

export interface DatabaseFacts {
  /** Such as 180004. */
  version: number;
  versionText: string;
  role: string;
  isSuperuser: boolean;
  isStandby: boolean;
  encoding: string;
  /** Settings that are not as an acknowledged edit, or the vacuum, needs them. */
  settings: { name: string; value: string }[];
  maxConnections: number;
  /** Milliseconds since 1970, by the database's clock. */
  now: number;
  /** Transactions until the oldest row version must be frozen; Postgres stops at 2.1 billion. */
  transactionAge: number;
}

export async function readDatabaseFacts(db: Db): Promise<DatabaseFacts> {
  const row = await rowOf<DatabaseFacts>(db)`
    select current_setting('server_version_num')::int as version,
      current_setting('server_version') as "versionText",
      current_user::text as role,
      (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
      pg_is_in_recovery() as "isStandby",
      pg_encoding_to_char(encoding) as encoding,
      (select coalesce(jsonb_agg(jsonb_build_object('name', name, 'value', setting)), '[]')
        from pg_settings where (name, setting) in (('fsync', 'off'), ('full_page_writes', 'off'),
          ('synchronous_commit', 'off'), ('autovacuum', 'off'), ('track_counts', 'off'))) as settings,
      current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int as "maxConnections",
      (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
      age(datfrozenxid)::int as "transactionAge"
    from pg_database where datname = current_database()`;
  return row as DatabaseFacts;
}

export interface OpenTransaction {
  pid: number;
  role: string | null;
  program: string | null;
  isIdle: boolean;
  seconds: number;
}

/** Transactions of this database that have been open for long: vacuum can't remove what they may still see. */
export function readLongTransactions(db: Db, minSeconds: number): Promise<OpenTransaction[]> {
  return rowsOf<OpenTransaction>(db)`
    select pid, usename::text as role, application_name as program,
      state like 'idle in transaction%' as "isIdle",
      extract(epoch from clock_timestamp() - xact_start)::int as seconds
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and xact_start < clock_timestamp() - ${minSeconds} * interval '1 second'
    order by xact_start limit 20`;
}

/** Transactions that were prepared for a two-phase commit and given up: they hold vacuum for ever. */
export async function readPreparedTransactions(db: Db, minSeconds: number): Promise<string[]> {
  const rows = await rowsOf<{ gid: string }>(db)`
    select gid from pg_prepared_xacts where database = current_database()
      and prepared < clock_timestamp() - ${minSeconds} * interval '1 second' limit 20`;
  return rows.map(({ gid }) => gid);
}

/** Replication slots that nobody reads, with the bytes of write-ahead log that Postgres retains for each. */
export function readIdleSlots(db: Db): Promise<{ name: string; bytes: number }[]> {
  return rowsOf<{ name: string; bytes: number }>(db)`
    select slot_name::text as name, coalesce(pg_wal_lsn_diff(
      case when pg_is_in_recovery() then pg_last_wal_receive_lsn() else pg_current_wal_lsn() end,
      restart_lsn), 0)::float8 as bytes
    from pg_replication_slots where not active`;
}

/** Tables of the model and of schema `watchfloor` whose owner is another role than that of this connection. */
export function readForeignTables(db: Db): Promise<{ table: string; owner: string }[]> {
  return rowsOf<{ table: string; owner: string }>(db)`
    select c.oid::regclass::text as "table", pg_get_userbyid(c.relowner)::text as owner
    from pg_class c
    where not pg_has_role(current_user, c.relowner, 'usage') and c.relkind in ('r', 'p')
      and (c.relnamespace = 'watchfloor'::regnamespace or (c.relnamespace = 'public'::regnamespace
        and exists (select from watchfloor.feed f where f.table_name = c.relname)))
    order by 1 limit 100`;
}

/** Tables that the role of this connection may not read and write. */
export async function readForbiddenTables(db: Db): Promise<string[]> {
  const rows = await rowsOf<{ table: string }>(db)`
    select format('%I.%I', n.nspname, c.relname) as "table"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and (n.nspname = 'watchfloor' or (n.nspname = 'public'
        and c.oid in (select relation::oid from watchfloor.managed_table)))
      and not (has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select')
        and has_table_privilege(c.oid, 'insert') and has_table_privilege(c.oid, 'update')
        and has_table_privilege(c.oid, 'delete'))
    order by 1 limit 100`;
  return rows.map(({ table }) => table);
}

/** Whether the role of this connection may create schema `watchfloor` or what is in it, and tables in `public`, as the server does. */
export async function readCreations(db: Db): Promise<{ schema: boolean; tables: boolean }> {
  const row = await rowOf<{ schema: boolean; tables: boolean }>(db)`
    select coalesce(has_schema_privilege(to_regnamespace('watchfloor')::oid, 'create'),
        has_database_privilege(current_database(), 'create')) as schema,
      coalesce(has_schema_privilege(to_regnamespace('public')::oid, 'create'), false) as tables`;
  return row as { schema: boolean; tables: boolean };
}

/** How often triggers were found disabled, or enabled again, in the last so many days. */
export function countInterruptions(db: Db, days: number): Promise<number> {
  const events = db
    .selectFrom("watchfloor.security_event")
    .where("at", ">", ago(days * 86_400_000));
  return countOf(
    events.where("kind", "in", ["capture_bypassed", "capture_restored"]).select(rowCount),
  );
}

/** Webhooks whose last attempt ended because of their receiver's certificate, and why. */
export function readRefusedReceivers(
  db: Db,
): Promise<{ name: string; url: string; error: string }[]> {
  return rowsOf<{ name: string; url: string; error: string }>(db)`
    select w.name, w.url, l.error
    from watchfloor.webhook w
    cross join lateral (
      select d.error from watchfloor.delivery d
      where d.webhook = w.id and d.attempted_at is not null order by d.n desc limit 1) l
    where l.error like 'certificate%'
    order by lower(w.name), w.id limit 20`;
}
