import { type Kysely, sql } from "kysely";

/** Change sets with their ops. Ops name tables and fields by their ids, so that renames don't break them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table watchfloor.change_set (
    id text primary key,
    title text not null,
    author text not null,
    origin text not null,
    state text not null default 'draft',
    version int not null default 1,
    reverts text,
    rights text,
    -- How it is applied, fixed when that begins: a server that continues makes the same batches.
    run int not null default 0,
    atomic boolean not null default false,
    batch_size int not null default 0,
    cancelling boolean not null default false,
    lease_by text,
    lease_until timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    applied_at timestamptz
  )`,
  "create index change_set_recent on watchfloor.change_set (created_at, id)",
  `create index change_set_applying on watchfloor.change_set (id) where state = 'applying'`,
  `create table watchfloor.change_set_op (
    change_set text not null references watchfloor.change_set on delete cascade,
    n int not null,
    table_id text not null,
    record text not null,
    kind text not null,
    op jsonb not null,
    -- Null until it was tried: applied, conflict, refused or skipped.
    status text,
    error jsonb,
    primary key (change_set, n)
  )`,
];
