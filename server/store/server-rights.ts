import { type RawBuilder, sql } from "kysely";
import type { Database, Db } from "./database.ts";
import { identifier } from "./identifiers.ts";
import { rowOf } from "./statement.ts";

/**
 * If another role owns the tables: lets the server's own role read and write the platform's tables and those
 * of the model, now and when the owner creates more. It may not alter or drop any. Safe to repeat.
 */
export async function grantServerRights(
  { kysely: owner }: Database,
  { kysely }: Database,
): Promise<void> {
  const role = await currentUser(kysely);
  if (role === (await currentUser(owner))) return;
  const tables = await sql<{ name: string }>`
    select c.relname as name from pg_class c join watchfloor.feed f on f.table_name = c.relname
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and c.relowner = current_user::regrole`.execute(owner);
  const sequences = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'S'
      and relnamespace = 'public'::regnamespace and relowner = current_user::regrole`.execute(
    owner,
  );
  const to = identifier(role);
  const statements: RawBuilder<unknown>[] = [
    sql`grant usage on schema watchfloor, public to ${to}`,
    sql`grant select, insert, update, delete on all tables in schema watchfloor to ${to}`,
    sql`grant usage, select on all sequences in schema watchfloor to ${to}`,
    sql`grant execute on all functions in schema watchfloor to ${to}`,
    sql`alter default privileges in schema watchfloor, public
      grant select, insert, update, delete on tables to ${to}`,
    sql`alter default privileges in schema watchfloor, public
      grant usage, select on sequences to ${to}`,
    sql`alter default privileges in schema watchfloor grant execute on functions to ${to}`,
    ...tables.rows.map(
      ({ name }) =>
        sql`grant select, insert, update, delete on public.${identifier(name)} to ${to}`,
    ),
    ...sequences.rows.map(
      ({ name }) => sql`grant usage, select on sequence public.${identifier(name)} to ${to}`,
    ),
  ];
  for (const statement of statements) await statement.execute(owner);
}

async function currentUser(db: Db): Promise<string> {
  const row = await rowOf<{ name: string }>(db)`select current_user as name`;
  return row?.name ?? "";
}

/** Whether the role of the server's connections is a superuser, which it does not need to be. */
export async function isSuperuser({ kysely }: Database): Promise<boolean> {
  const row = await rowOf<{ rolsuper: boolean }>(kysely)`
    select rolsuper from pg_roles where rolname = current_user`;
  return row?.rolsuper === true;
}
