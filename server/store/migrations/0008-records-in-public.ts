import { type Kysely, sql } from "kysely";

/**
 * Where Postgres knew us as the user watchfloor, the first tables of a model were made in our own
 * schema, before all others on that user's path. They go where they belong.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`do $$
    declare
      found record;
    begin
      for found in
        select c.relname, c.relkind from pg_catalog.pg_class c
        join pg_catalog.pg_namespace n on n.oid = c.relnamespace and n.nspname = 'watchfloor'
        where (c.relkind = 'r' and c.relname in (select table_name from watchfloor.feed)
            and exists (select from pg_catalog.pg_trigger t
              where t.tgrelid = c.oid and t.tgname = 'watchfloor_truncate'))
          or (c.relkind = 'S' and c.relname <> 'change_ord' and not exists (
            select from pg_catalog.pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i')))
      loop
        execute format('alter %s watchfloor.%I set schema public',
          case found.relkind when 'r' then 'table' else 'sequence' end, found.relname);
      end loop;
    end $$`.execute(db);
}
