/**
 * `schema-8`: one outbox for webhooks and mail, and what users are notified of.
 *
 * A delivery is of a webhook, or a mail to a user. Like one of a webhook it holds no content: what is mailed is made when it is sent. The
 * token of a one-time link has to be read again for its mail. So it is stored beside its hash, encrypted where a key is configured, until
 * the mail was sent: these tables are in no backup.
 */
const outbox = [
  "alter table watchfloor.webhook_delivery rename to delivery",
  ...["open", "log", "given_up"].map(
    (part) => `alter index watchfloor.webhook_delivery_${part} rename to delivery_${part}`,
  ),
  `alter table watchfloor.delivery alter column webhook drop not null,
    add column user_id text references watchfloor."user" on delete cascade,
    add check ((kind = 'mail') = (webhook is null) and (kind = 'mail') = (user_id is not null))`,
  `create index delivery_mail_open on watchfloor.delivery (record, n)
  where webhook is null and state in ('due', 'retrying')`,
  "create index delivery_mail on watchfloor.delivery (user_id, n) where webhook is null",
  "alter table watchfloor.invitation add column secret text",
  "alter table watchfloor.password_reset add column secret text",
];

const inbox = [
  // What was noticed: references, never a text. While it is unread, what follows of the same cause and record is added to it.
  `create table watchfloor.inbox_entry (
    n bigint generated always as identity primary key,
    user_id text not null references watchfloor."user" on delete cascade,
    cause text not null,
    -- Empty where it is not about a record of a table; then "record" is the change set.
    table_id text not null default '',
    record text collate "C" not null,
    epoch text,
    seq bigint,
    comment text,
    -- The ids of the fields of which one must be readable; null: any.
    fields text[],
    view text,
    event text,
    -- As in the change log: <kind>:<id>; null: the passing of time.
    by text,
    count int not null default 1,
    at timestamptz not null default now(),
    read_at timestamptz,
    -- What waits to be mailed, and since when; the mail that it was put into.
    mail text not null default 'off' check (mail in ('off', 'now', 'daily')),
    mail_since timestamptz,
    delivery text,
    changed_at timestamptz not null default now()
  )`,
  `create unique index inbox_entry_unread on watchfloor.inbox_entry (user_id, cause, table_id, record)
  where read_at is null`,
  "create index inbox_entry_newest on watchfloor.inbox_entry (user_id, at desc, n desc)",
  "create index inbox_entry_at on watchfloor.inbox_entry (at)",
  "create index inbox_entry_changed on watchfloor.inbox_entry (changed_at)",
  "create index inbox_entry_mail on watchfloor.inbox_entry (user_id) where mail <> 'off' and read_at is null",
  "create index inbox_entry_delivery on watchfloor.inbox_entry (delivery) where delivery is not null",

  // How far the inbox has followed each feed. Of those that exist, nothing from before is noticed.
  `create table watchfloor.inbox_position (
    feed int primary key,
    epoch text not null,
    seq bigint not null
  )`,
  `insert into watchfloor.inbox_position (feed, epoch, seq)
  select id, epoch, head from watchfloor.feed where table_name is not null`,

  `create table watchfloor.watch (
    id text primary key,
    user_id text not null references watchfloor."user" on delete cascade,
    table_id text not null,
    record text collate "C",
    view text references watchfloor.view on delete cascade,
    -- The ids of the fields whose changes count; null: of a record all, of a view none.
    fields text[],
    created_at timestamptz not null default now(),
    -- Up to when a view that depends on the time was evaluated.
    evaluated_at timestamptz not null default now(),
    check ((record is null) <> (view is null))
  )`,
  `create unique index watch_of_record on watchfloor.watch (user_id, table_id, record)
  where record is not null`,
  "create unique index watch_of_view on watchfloor.watch (user_id, view) where view is not null",
  "create index watch_table on watchfloor.watch (table_id)",
  "create index watch_view on watchfloor.watch (view) where view is not null",

  `create table watchfloor.notification_settings (
    user_id text primary key references watchfloor."user" on delete cascade,
    settings jsonb not null default '{}',
    unsubscribe text not null unique
      default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
  )`,

  `create function watchfloor.notify_inbox() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
  begin
    perform pg_notify('watchfloor_changed', 'inbox:' || coalesce(new.user_id, old.user_id));
    return null;
  end $$`,
  `create trigger notify_change after insert or delete or update of changed_at
  on watchfloor.inbox_entry for each row execute function watchfloor.notify_inbox()`,
  "update watchfloor.installation set triggers = null",
];

export const notificationTables: readonly string[] = [...outbox, ...inbox];

/**
 * `schema-9b`: what is folded into an entry, by kind and author (platform-tables.ts: EntryPart), newest first: each part is shown or not by
 * the rights of the moment. Users are notified once for each statement, not for each row.
 */
export const entryParts: readonly string[] = [
  "alter table watchfloor.inbox_entry add column parts jsonb not null default '[]'",
  `update watchfloor.inbox_entry set parts = jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
    'event', event, 'fields', fields, 'view', view, 'comment', comment, 'by', by, 'epoch', epoch, 'seq', seq,
    'at', at, 'count', count)))`,
  `alter table watchfloor.inbox_entry drop column event, drop column fields, drop column view, drop column comment,
    drop column by, drop column epoch, drop column seq, drop column count`,
  "drop trigger notify_change on watchfloor.inbox_entry",
  `create or replace function watchfloor.notify_inbox() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
  begin
    if tg_op = 'UPDATE' then
      perform pg_notify('watchfloor_changed', 'inbox:' || one.user_id) from (
        select distinct n.user_id from new_entries n join old_entries o using (n)
        where n.changed_at is distinct from o.changed_at) one;
    elsif tg_op = 'INSERT' then
      perform pg_notify('watchfloor_changed', 'inbox:' || one.user_id)
      from (select distinct user_id from new_entries) one;
    else
      perform pg_notify('watchfloor_changed', 'inbox:' || one.user_id)
      from (select distinct user_id from old_entries) one;
    end if;
    return null;
  end $$`,
  ...[
    "insert on watchfloor.inbox_entry referencing new table as new_entries",
    "update on watchfloor.inbox_entry referencing old table as old_entries new table as new_entries",
    "delete on watchfloor.inbox_entry referencing old table as old_entries",
  ].map(
    (when) =>
      `create trigger notify_${when.slice(0, 6)} after ${when} for each statement execute function watchfloor.notify_inbox()`,
  ),
  "update watchfloor.installation set triggers = null",
];
