import { type Kysely, sql } from "kysely";

/**
 * Wallboards. A board's draft and what its screens show are two documents of one row, so that
 * publishing is one write and every screen swaps at once. Every server hears of a change at commit,
 * whoever made it. Channel `watchfloor_wallboards`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table watchfloor.wallboard (
    id text primary key,
    draft jsonb not null,
    version int not null default 1,
    published jsonb,
    published_version int,
    /* what the publisher could read of the tables that it needs, bound: all that a display may see */
    scopes jsonb,
    published_at timestamptz,
    published_by text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    updated_by text
  )`,

  `create table watchfloor.tile_acknowledgement (
    wallboard text not null references watchfloor.wallboard on delete cascade,
    tile text not null,
    row_key text not null,
    word text not null,
    by text not null,
    at timestamptz not null default now(),
    primary key (wallboard, tile, row_key, word)
  )`,

  `create function watchfloor.tell_wallboards() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
  begin
    perform pg_notify('watchfloor_wallboards', '');
    return null;
  end $$`,

  `create trigger tell_change after insert or update or delete on watchfloor.wallboard
  for each statement execute function watchfloor.tell_wallboards()`,
  `create trigger tell_change after insert or update or delete on watchfloor.tile_acknowledgement
  for each statement execute function watchfloor.tell_wallboards()`,
];
