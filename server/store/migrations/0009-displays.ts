import { type Kysely, sql } from "kysely";

/**
 * Displays, the codes by which screens are taken up, and how the displays are doing. Secrets are kept
 * as SHA-256 only. Every server hears at commit that a display was revoked or is to show something
 * else, on the channel of the people (0003); reports come often and are told only when a display
 * goes dark or comes back. What a crash loses of them comes again within seconds: unlogged.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table watchfloor.display (
    id text primary key,
    name text not null,
    boards text[] not null default '{}',
    rotation_seconds integer not null default 30,
    showing text,
    muted boolean not null default false,
    dim jsonb,
    identify_until timestamptz,
    reload_asked_at timestamptz,
    token_hash text unique,
    revoked_at timestamptz,
    created_at timestamptz not null default now()
  )`,

  `create table watchfloor.display_pairing (
    secret_hash text primary key,
    code_hash text not null unique,
    display_id text references watchfloor.display on delete cascade,
    created_at timestamptz not null default now()
  )`,
  "create index display_pairing_display on watchfloor.display_pairing (display_id)",

  // No foreign key: an unlogged table is emptied by a crash, and a late report must harm nobody.
  `create unlogged table watchfloor.display_report (
    display_id text primary key,
    seen_at timestamptz not null default now(),
    dark_since timestamptz,
    report jsonb not null
  )`,

  `create trigger tell_change after update on watchfloor.display for each row
  when (old is distinct from new) execute function watchfloor.tell_people('display')`,

  `create trigger tell_removal after delete on watchfloor.display for each row
  execute function watchfloor.tell_people('display')`,

  `create function watchfloor.tell_display_health() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
  begin
    perform pg_notify('watchfloor_people', 'displayHealth:' || new.display_id);
    return null;
  end $$`,

  `create trigger tell_health after update on watchfloor.display_report for each row
  when ((old.dark_since is null) is distinct from (new.dark_since is null))
  execute function watchfloor.tell_display_health()`,
];
