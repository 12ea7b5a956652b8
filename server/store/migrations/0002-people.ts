import { type Kysely, sql } from "kysely";

/**
 * People and what proves who they are. Secrets (session, invitation and set-up tokens) are kept as
 * SHA-256 only: a copy of the database opens no door.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table watchfloor."user" (
    id text primary key,
    email text not null,
    name text not null,
    colour text not null,
    role text not null,
    attributes jsonb not null default '{}',
    status text not null check (status in ('invited', 'active', 'disabled')),
    password_hash text,
    last_seen timestamptz,
    created_at timestamptz not null default now()
  )`,
  `create unique index user_email on watchfloor."user" (lower(email))`,

  `create table watchfloor.session (
    id text primary key,
    user_id text not null references watchfloor."user" on delete cascade,
    created_at timestamptz not null default now(),
    last_seen timestamptz not null default now(),
    ip text not null,
    user_agent text not null
  )`,
  "create index session_of_user on watchfloor.session (user_id)",
  "create index session_seen on watchfloor.session (last_seen)",

  `create table watchfloor.invitation (
    id text primary key,
    user_id text not null references watchfloor."user" on delete cascade,
    created_at timestamptz not null default now()
  )`,
  "create index invitation_user on watchfloor.invitation (user_id)",

  `create table watchfloor.setup_token (
    id text primary key,
    created_at timestamptz not null default now()
  )`,

  // Unlogged: losing the counts in a crash costs nothing, and failures come in floods.
  `create unlogged table watchfloor.sign_in_attempt (
    key text primary key,
    attempts timestamptz[] not null
  )`,
];
