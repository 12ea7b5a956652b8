import { type Kysely, sql } from "kysely";

/**
 * Comments on records, and how far each user has read them. Tables are named by their ids, so that renames
 * don't break them. Nothing refers to users or records: what somebody wrote stays when they are removed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table watchfloor.comment (
    id text primary key,
    n bigint generated always as identity,
    table_id text not null,
    record text not null,
    -- As in the change log: <kind>:<id>.
    author text not null,
    text text not null,
    -- The ids of the users that the text mentions.
    mentions text[] not null default '{}',
    created_at timestamptz not null default now(),
    edited_at timestamptz,
    resolved_at timestamptz,
    resolved_by text,
    removed_at timestamptz,
    removed_by text,
    changed_at timestamptz not null default now()
  )`,
  "create index comment_thread on watchfloor.comment (table_id, record, n)",
  "create index comment_recent on watchfloor.comment (n)",
  "create index comment_mentions on watchfloor.comment using gin (mentions)",
  "create index comment_changed on watchfloor.comment (changed_at)",
  `create table watchfloor.comment_read (
    user_id text not null references watchfloor."user" on delete cascade,
    table_id text not null,
    record text not null,
    upto bigint not null,
    primary key (user_id, table_id, record)
  )`,
];
