import { createHmac } from "node:crypto";
import type { Client } from "pg";
import { connectToOwn } from "./own-cluster.ts";

/**
 * The role that everything except this file uses: an ordinary one that owns the database and all in it,
 * without the rights of a superuser (reading files, running programs, loading code). The superuser creates it
 * at the first start. A cluster of an older release, where the superuser owned everything, is transferred
 * to it; the owner of the database changes last, and so marks completion.
 */
export const serverUser = "watchfloor_server";

/** Invalid password, or no such role; no such database. */
const notPrepared: ReadonlySet<string> = new Set(["28P01", "28000", "3D000"]);
/** Another program may hold a lock on a table of an adopted cluster. */
const LOCK_TIMEOUT_MS = 10_000;

/** Derived from the superuser's password, and not the other way round. */
export function serverPassword(superuserPassword: string): string {
  return createHmac("sha256", superuserPassword).update(serverUser).digest("hex");
}

/** Whether the role of this URL may sign in and owns the database. */
export async function isPrepared(url: string): Promise<boolean> {
  const client = await connectToOwn(url).catch((error: { code?: string }) => {
    if (notPrepared.has(error.code ?? "")) return null;
    throw error;
  });
  if (!client) return false;
  try {
    const { rows } = await client.query<{ owns: boolean }>(`
      select pg_get_userbyid(datdba) = current_user as owns
      from pg_database where datname = current_database()`);
    return rows[0]?.owns === true;
  } finally {
    await client.end();
  }
}

/** Creates the role and hands everything over to it, by a connection of the superuser. Safe to repeat. */
export async function prepareServerRole(superuser: Client, password: string): Promise<void> {
  await superuser.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
  await superuser.query("set search_path = pg_catalog");
  const { rows } = await superuser.query("select from pg_roles where rolname = $1", [serverUser]);
  if (rows.length === 0) await superuser.query(`create role ${serverUser}`);
  await superuser.query(
    `alter role ${serverUser} login password ${superuser.escapeLiteral(password)}`,
  );
  // one by one: a transaction over all of a large model would run out of locks
  const statements = await superuser.query<{ statement: string }>(handOver, [serverUser]);
  for (const { statement } of statements.rows) await superuser.query(statement);
  const database = superuser.escapeIdentifier(superuser.database ?? "");
  await superuser.query(`alter database ${database} owner to ${serverUser}`);
}

/** Everything that the superuser owns outside the system's schemas; what belongs to an extension stays. */
const handOver = `
  with own as (
    select oid, nspname from pg_namespace
    where nspname !~ '^pg_' and nspname <> 'information_schema'
  ), found as (
    select 1 as turn, format('schema %I', nspname) as object, 'pg_namespace'::regclass as class, n.oid
    from pg_namespace n join own using (oid, nspname) where nspowner = current_user::regrole
    union all
    select 2, format('%s %I.%I', case relkind when 'S' then 'sequence' when 'v' then 'view'
        when 'm' then 'materialized view' when 'f' then 'foreign table' else 'table' end,
      nspname, relname), 'pg_class'::regclass, c.oid
    from pg_class c join own n on n.oid = relnamespace
    where relowner = current_user::regrole and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
    union all
    select 3, format('routine %s', p.oid::regprocedure), 'pg_proc'::regclass, p.oid
    from pg_proc p join own n on n.oid = pronamespace where proowner = current_user::regrole
      and prokind <> 'a'
    union all
    select 3, format('aggregate %s', p.oid::regprocedure), 'pg_proc'::regclass, p.oid
    from pg_proc p join own n on n.oid = pronamespace where proowner = current_user::regrole
      and prokind = 'a'
    union all
    select 4, format('type %I.%I', nspname, typname), 'pg_type'::regclass, t.oid
    from pg_type t join own n on n.oid = typnamespace left join pg_class c on c.oid = typrelid
    where typowner = current_user::regrole
      and (typtype in ('d', 'e', 'r') or (typtype = 'c' and c.relkind = 'c'))
  )
  select format('alter %s owner to %I', object, $1::text) as statement from found f
  where not exists (select from pg_depend d where d.classid = f.class and d.objid = f.oid
    and (d.deptype = 'e'
      or (d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i') and d.refobjsubid > 0
        and d.refclassid = 'pg_class'::regclass
        and (select relkind from pg_class where oid = d.objid) = 'S')))
  order by turn`;
