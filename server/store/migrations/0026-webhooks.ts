import { type Kysely, sql } from "kysely";

/**
 * Webhooks, each with its position in the feed of its table, and their deliveries. A delivery names its change and
 * holds none of its values: what is sent or shown is projected by the rights of that moment.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table watchfloor.webhook (
    id text primary key,
    name text not null,
    url text not null,
    table_name text not null,
    events jsonb not null,
    filter jsonb,
    -- Null: all fields that the owner may read.
    fields jsonb,
    -- The user by whose rights changes are sent. Not a reference: without its owner a webhook stops, and is still shown.
    owner text not null,
    -- Encrypted where the server has a key (server/auth/secret-box.ts).
    secret text not null,
    former_secret text,
    former_secret_until timestamptz,
    paused boolean not null default false,
    epoch text not null,
    seq bigint not null,
    -- Failed attempts since the last success.
    failures int not null default 0,
    missed text,
    missed_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  `create table watchfloor.webhook_delivery (
    -- In the order of the feed.
    n bigint generated always as identity primary key,
    id text not null unique,
    webhook text not null references watchfloor.webhook on delete cascade,
    kind text not null,
    epoch text,
    seq bigint,
    record text,
    type text,
    state text not null,
    attempts int not null default 0,
    -- When it may be attempted next. An attempt moves it beyond its own time-out, so that nobody else makes it, too.
    next_at timestamptz not null default now(),
    status int,
    error text,
    excerpt text,
    duration_ms int,
    created_at timestamptz not null default now(),
    attempted_at timestamptz
  )`,
  `create index webhook_delivery_open on watchfloor.webhook_delivery (webhook, record, n)
   where state in ('due', 'retrying')`,
  "create index webhook_delivery_log on watchfloor.webhook_delivery (webhook, n)",
];
