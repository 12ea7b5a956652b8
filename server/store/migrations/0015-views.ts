import { type Kysely, sql } from "kysely";

/**
 * Views. One that is taken away can be brought back for a while. Every server hears at commit whose
 * views are other ones now: `table`, and the owner of one that is nobody else's. Channel
 * `watchfloor_views`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table watchfloor.view (
    id text primary key,
    table_name text not null,
    name text not null,
    shared boolean not null,
    /* whose it is; who is gone leaves what they have shared */
    owner text references watchfloor."user" on delete set null,
    look jsonb not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    updated_by text,
    removed_at timestamptz
  )`,

  `create unique index view_shared_name on watchfloor.view (table_name, lower(name))
    where shared and removed_at is null`,
  `create unique index view_own_name on watchfloor.view (owner, table_name, lower(name))
    where not shared and removed_at is null`,

  `create function watchfloor.tell_view(of_table text, shared boolean, owner text) returns void
  language sql security definer set search_path = pg_catalog as $$
    select pg_notify('watchfloor_views', json_build_object('table', of_table,
      'owner', case when shared then null else owner end)::text)
  $$`,

  `create function watchfloor.tell_views() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
  begin
    if tg_op = 'TRUNCATE' then
      perform pg_notify('watchfloor_views', '');
      return null;
    end if;
    if tg_op <> 'INSERT' then
      perform watchfloor.tell_view(old.table_name, old.shared, old.owner);
    end if;
    if tg_op <> 'DELETE' then
      perform watchfloor.tell_view(new.table_name, new.shared, new.owner);
    end if;
    return null;
  end $$`,

  `create trigger tell_change after insert or update or delete on watchfloor.view
  for each row execute function watchfloor.tell_views()`,
  `create trigger tell_truncate after truncate on watchfloor.view
  for each statement execute function watchfloor.tell_views()`,
];
