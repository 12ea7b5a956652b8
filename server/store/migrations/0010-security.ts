import { type Kysely, sql } from "kysely";

/**
 * What proves who somebody is besides the password, the links that reset one, and the events of
 * security. Links and recovery codes are kept as hashes; the secret of an authenticator must be read
 * again, so it is encrypted where a key is configured (server/auth/secret-box.ts).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table watchfloor.password_reset (
    id text primary key,
    user_id text not null references watchfloor."user" on delete cascade,
    created_at timestamptz not null default now()
  )`,
  "create index password_reset_user on watchfloor.password_reset (user_id)",

  // Not confirmed: the person has scanned it, perhaps, and is not asked for it yet.
  `create table watchfloor.totp (
    user_id text primary key references watchfloor."user" on delete cascade,
    secret text not null,
    confirmed boolean not null default false,
    last_step bigint not null default 0,
    created_at timestamptz not null default now()
  )`,
  `create table watchfloor.recovery_code (
    user_id text not null references watchfloor."user" on delete cascade,
    hash text not null,
    primary key (user_id, hash)
  )`,
  `create table watchfloor.passkey (
    id text primary key,
    user_id text not null references watchfloor."user" on delete cascade,
    name text not null,
    site text not null,
    public_key text not null,
    counter bigint not null,
    transports jsonb not null default '[]',
    created_at timestamptz not null default now(),
    last_used timestamptz
  )`,
  "create index passkey_of_user on watchfloor.passkey (user_id)",
  `create table watchfloor.passkey_challenge (
    id text primary key,
    user_id text references watchfloor."user" on delete cascade,
    created_at timestamptz not null default now()
  )`,

  // No reference to users: what somebody did stays when they are removed.
  `create table watchfloor.security_event (
    id bigint generated always as identity primary key,
    at timestamptz not null default clock_timestamp(),
    kind text not null,
    actor text,
    actor_name text,
    subject text,
    subject_name text,
    ip text,
    user_agent text,
    detail jsonb not null default '{}'
  )`,
  "create index security_event_at on watchfloor.security_event (at)",
  "create index security_event_kind on watchfloor.security_event (kind, id)",
  "create index security_event_actor on watchfloor.security_event (actor, id)",
  "create index security_event_subject on watchfloor.security_event (subject, id)",
];
