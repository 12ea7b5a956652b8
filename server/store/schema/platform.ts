import { randomBytes } from "node:crypto";

/**
 * What the platform itself stores: users and what proves who they are, the model, and what users make of it. Secrets are stored as SHA-256
 * wherever they need not be read again, so a copy of the database opens nothing; those that must be (of authenticators, webhooks) are
 * encrypted where a key is configured (server/auth/secret-box.ts).
 *
 * Every server is notified at commit of what it holds in memory, whoever changed it (change-notifier.ts). Progress, leases and last uses are
 * not notified. Since `schema-3` there is one channel in place of four.
 *
 * What is attributed to a user (changes, events, comments, tokens, webhooks) refers to nothing: it stays when they are removed.
 */

const installation = [
  "create table watchfloor.platform (key text primary key, value jsonb not null)",

  // One id for the installation, whatever the name by which its servers reach the database: what it says on a shared Redis must not be
  // heard by another one. What its servers say to each other there is signed with the key (ADR 24).
  `create table watchfloor.installation (
    id uuid primary key default gen_random_uuid(),
    sole boolean not null unique default true check (sole),
    bus_key text not null
  )`,

  // The last scheduled backup, of whichever server: one row, which also decides who makes the next one. `ended_at` is null while it is
  // written; what follows is of the last one that succeeded.
  `create table watchfloor.scheduled_backup (
    sole boolean primary key default true check (sole),
    attempted_at timestamptz not null,
    ended_at timestamptz,
    error text,
    succeeded_at timestamptz,
    seconds double precision,
    bytes bigint,
    file text
  )`,
];

const model = [
  `create table watchfloor.model (
    version int primary key,
    document jsonb not null,
    by text not null,
    at timestamptz not null default now()
  )`,

  // The tables that Watchfloor created, and no other program (managed-tables.ts).
  `create table watchfloor.managed_table (
    relation regclass primary key,
    created_at timestamptz not null default now()
  )`,

  // A logged document under the current names of its columns.
  `create function watchfloor.named(document jsonb, names jsonb) returns jsonb
  language sql immutable as $$
    select case when document is null then null else coalesce(
      (select jsonb_object_agg(names ->> e.key, e.value) from jsonb_each(document) e where names ? e.key),
      '{}'::jsonb) end
  $$`,

  // Null where a value does not fit, instead of an error.
  `create function watchfloor.try_cast(value text, kind text) returns text
  language plpgsql stable set timezone = 'UTC' set datestyle = 'ISO' as $$
  begin
    case kind
      when 'date' then return value::date::text;
      when 'timestamptz' then return value::timestamptz::text;
      when 'jsonb' then return value::jsonb::text;
    end case;
  exception when data_exception then return null;
  end $$`,
];

/** Rows that belong to a user, and go with them. */
const userId = `user_id text not null references watchfloor."user" on delete cascade`;

const users = [
  // `rights_version`: a session's right to a replay ends with any change of its rights, also one that is taken back.
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
    created_at timestamptz not null default now(),
    rights_version bigint not null default 0
  )`,
  `create unique index user_email on watchfloor."user" (lower(email))`,

  // Roles that the customer declares. The built-in ones are no rows: they can't be changed, not even by hand.
  `create table watchfloor.role (
    id text primary key check (id not in ('owner', 'admin', 'editor', 'viewer', 'display')),
    name text not null,
    rights jsonb not null default '[]',
    grants jsonb not null default '{}',
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    rights_version bigint not null default 0
  )`,
  "create unique index role_name on watchfloor.role (lower(name))",

  `create table watchfloor.session (
    id text primary key,
    ${userId},
    created_at timestamptz not null default now(),
    last_seen timestamptz not null default now(),
    ip text not null,
    user_agent text not null
  )`,
  "create index session_of_user on watchfloor.session (user_id)",
  "create index session_seen on watchfloor.session (last_seen)",

  `create table watchfloor.invitation (
    id text primary key,
    ${userId},
    created_at timestamptz not null default now()
  )`,
  "create index invitation_user on watchfloor.invitation (user_id)",

  `create table watchfloor.password_reset (
    id text primary key,
    ${userId},
    created_at timestamptz not null default now()
  )`,
  "create index password_reset_user on watchfloor.password_reset (user_id)",

  "create table watchfloor.setup_token (id text primary key, created_at timestamptz not null default now())",

  // Unlogged: losing the counts in a crash costs nothing, and failures come in floods.
  "create unlogged table watchfloor.sign_in_attempt (key text primary key, attempts timestamptz[] not null)",

  // From where somebody has signed in before (sign-in-throttle.ts).
  `create table watchfloor.known_device (
    id text primary key,
    ${userId},
    created_at timestamptz not null default now(),
    last_used timestamptz not null default now()
  )`,
  "create index known_device_user on watchfloor.known_device (user_id, last_used)",

  // Not confirmed: the user may have scanned it, and is not asked for it yet.
  `create table watchfloor.totp (
    user_id text primary key references watchfloor."user" on delete cascade,
    secret text not null,
    confirmed boolean not null default false,
    last_step bigint not null default 0,
    created_at timestamptz not null default now()
  )`,
  `create table watchfloor.recovery_code (
    ${userId},
    hash text not null,
    primary key (user_id, hash)
  )`,
  `create table watchfloor.passkey (
    id text primary key,
    ${userId},
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

  // A revoked token stays as a row, because the change log names it as an author. Without an active creator it is refused.
  `create table watchfloor.api_token (
    id text primary key,
    name text not null,
    hash text not null unique,
    prefix text not null,
    created_by text not null,
    role text,
    rights_version bigint not null default 0,
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    last_used timestamptz,
    revoked_at timestamptz
  )`,
  "create index api_token_creator on watchfloor.api_token (created_by) where revoked_at is null",

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

const screens = [
  // A removed view or wallboard stays for a while, so that its removal can be undone.
  `create table watchfloor.view (
    id text primary key,
    table_name text not null,
    name text not null,
    shared boolean not null,
    -- A removed user leaves the views that they have shared.
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

  // The draft and what displays show are two documents of one row: publishing is one write, and every display changes at once.
  `create table watchfloor.wallboard (
    id text primary key,
    draft jsonb not null,
    version int not null default 1,
    published jsonb,
    published_version int,
    -- What the publisher could read of the tables that it needs, bound: all that a display may see.
    scopes jsonb,
    published_at timestamptz,
    published_by text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    updated_by text,
    removed_at timestamptz
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
  // Unlogged, and so without a foreign key: what a crash loses of reports comes again within seconds.
  `create unlogged table watchfloor.display_report (
    display_id text primary key,
    seen_at timestamptz not null default now(),
    dark_since timestamptz,
    report jsonb not null
  )`,
];

const records = [
  // Ops name tables and fields by their ids, so that renames don't break them.
  `create table watchfloor.change_set (
    id text primary key,
    title text not null,
    author text not null,
    origin text not null,
    state text not null default 'draft',
    version int not null default 1,
    reverts text,
    -- Whether the ops of a revert take back all changes of the set that it reverts.
    reverts_all boolean not null default false,
    import jsonb,
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
  "create index change_set_applying on watchfloor.change_set (id) where state = 'applying'",
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
    -- Of a row of a file: a hash of the value by which it names its record, and its line.
    key text,
    line int,
    primary key (change_set, n)
  )`,
  "create unique index change_set_op_key on watchfloor.change_set_op (change_set, key) where key is not null",
  // Finds the next batch of a large set without reading those before it.
  "create index change_set_op_untried on watchfloor.change_set_op (change_set, n) where status is null",
  // The rows of a file that were left out.
  `create table watchfloor.change_set_reject (
    change_set text not null references watchfloor.change_set on delete cascade,
    line int not null,
    cells jsonb not null,
    errors jsonb not null,
    primary key (change_set, line)
  )`,

  // Comments on records, and how far each user has read them.
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
    ${userId},
    table_id text not null,
    record text not null,
    upto bigint not null,
    primary key (user_id, table_id, record)
  )`,

  // Webhooks, each with its position in the feed of its table. A delivery names its change and holds none of its values: what is sent or
  // shown is projected by the rights of that moment.
  `create table watchfloor.webhook (
    id text primary key,
    name text not null,
    url text not null,
    table_name text not null,
    events jsonb not null,
    filter jsonb,
    -- Null: all fields that the owner may read.
    fields jsonb,
    -- The user by whose rights changes are sent. Without its owner a webhook stops, and is still shown.
    owner text not null,
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

/** A function for triggers that runs this, with the rights of the installation. */
const trigger = (name: string, body: string) =>
  `create function watchfloor.${name}() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
  begin
    ${body}
    return null;
  end $$`;

const countRights = (table: string, columns: readonly string[]) => [
  `create trigger count_rights before update on watchfloor.${table} for each row
  when (${isDistinct(columns)}) execute function watchfloor.count_rights()`,
  // Also for what is written past triggers, as a restore or a replica does.
  `alter table watchfloor.${table} enable always trigger count_rights`,
];

const isDistinct = (columns: readonly string[]) =>
  `(${columns.map((column) => `old.${column}`)}) is distinct from (${columns.map((column) => `new.${column}`)})`;

/** Notifies of changed and removed rows, by their id. */
const notifyAccess = (kind: string, table: string, condition: string) => [
  `create trigger notify_change after update on watchfloor.${table} for each row
  when (${condition}) execute function watchfloor.notify_access('${kind}')`,
  `create trigger notify_removal after delete on watchfloor.${table} for each row
  execute function watchfloor.notify_access('${kind}')`,
];

/** Notifies a user's own screens of what they sign in with. */
const notifyAccount = (table: string, events: string, column = "user_id") =>
  `create trigger notify_account after ${events} on watchfloor.${table} for each row
  execute function watchfloor.notify_account('${column}')`;

const notifications = [
  `create function watchfloor.count_rights() returns trigger
  language plpgsql set search_path = pg_catalog as $$
  begin
    new.rights_version := old.rights_version + 1;
    return new;
  end $$`,
  ...countRights('"user"', ["role", "attributes", "status"]),
  ...countRights("role", ["rights", "grants"]),
  ...countRights("api_token", ["role", "created_by"]),

  trigger("notify_access", "perform pg_notify('watchfloor_people', tg_argv[0] || ':' || old.id);"),
  ...notifyAccess(
    "user",
    '"user"',
    isDistinct(["email", "name", "colour", "role", "attributes", "status"]),
  ),
  ...notifyAccess("role", "role", isDistinct(["name", "rights", "grants"])),
  ...notifyAccess(
    "token",
    "api_token",
    isDistinct(["name", "created_by", "role", "expires_at", "revoked_at"]),
  ),
  ...notifyAccess("display", "display", "old is distinct from new"),
  `create trigger notify_end after delete on watchfloor.session for each row
  execute function watchfloor.notify_access('session')`,

  trigger(
    "notify_account",
    `perform pg_notify('watchfloor_people',
      'account:' || (coalesce(to_jsonb(new), to_jsonb(old)) ->> tg_argv[0]));`,
  ),
  notifyAccount("session", "insert or delete"),
  notifyAccount("totp", "insert or delete or update of confirmed"),
  notifyAccount("recovery_code", "insert or delete"),
  notifyAccount("passkey", "insert or delete"),
  notifyAccount("api_token", "insert or delete or update of name, role, revoked_at", "created_by"),

  // Reports come often: only that a display goes dark or comes back is notified.
  trigger(
    "notify_display_health",
    "perform pg_notify('watchfloor_people', 'displayHealth:' || new.display_id);",
  ),
  `create trigger notify_health after update on watchfloor.display_report for each row
  when ((old.dark_since is null) is distinct from (new.dark_since is null))
  execute function watchfloor.notify_display_health()`,

  // What is done to users and roles is an event, so the screens of those who manage them follow.
  trigger("notify_event", "perform pg_notify('watchfloor_people', 'event:');"),
  `create trigger notify_event after insert on watchfloor.security_event
  for each statement execute function watchfloor.notify_event()`,

  trigger("notify_change_sets", "perform pg_notify('watchfloor_people', 'changeSets:');"),
  `create trigger notify_change after insert or delete or update of state, version
  on watchfloor.change_set for each statement execute function watchfloor.notify_change_sets()`,

  trigger("notify_wallboards", "perform pg_notify('watchfloor_wallboards', '');"),
  ...["wallboard", "tile_acknowledgement"].map(
    (table) => `create trigger notify_change after insert or update or delete on watchfloor.${table}
  for each statement execute function watchfloor.notify_wallboards()`,
  ),

  // Whose views have changed: of a table, and of their owner unless they are shared.
  `create function watchfloor.notify_view(of_table text, shared boolean, owner text) returns void
  language sql security definer set search_path = pg_catalog as $$
    select pg_notify('watchfloor_views', json_build_object('table', of_table,
      'owner', case when shared then null else owner end)::text)
  $$`,
  trigger(
    "notify_views",
    `if tg_op = 'TRUNCATE' then
      perform pg_notify('watchfloor_views', '');
      return null;
    end if;
    if tg_op <> 'INSERT' then
      perform watchfloor.notify_view(old.table_name, old.shared, old.owner);
    end if;
    if tg_op <> 'DELETE' then
      perform watchfloor.notify_view(new.table_name, new.shared, new.owner);
    end if;`,
  ),
  `create trigger notify_change after insert or update or delete on watchfloor.view
  for each row execute function watchfloor.notify_views()`,
  `create trigger notify_truncate after truncate on watchfloor.view
  for each statement execute function watchfloor.notify_views()`,
];

export const platformSchema: readonly string[] = [
  ...installation,
  ...model,
  ...users,
  ...screens,
  ...records,
  ...notifications,
];

const former = {
  watchfloor_people: "",
  watchfloor_feed: "'feed:' ||",
  watchfloor_views: "'views:' ||",
  watchfloor_wallboards: "'wallboards:' ||",
};

/**
 * `schema-3`: one channel, on which a notification is `topic:id` (change-notifier.ts), also of models and comments. The functions that
 * notified on the former channels are the same but for that.
 */
export const oneChannel: readonly string[] = [
  ...Object.entries(former).map(
    ([channel, prefix]) => `do $do$
  declare
    f record;
  begin
    for f in select oid from pg_catalog.pg_proc
      where pronamespace = 'watchfloor'::regnamespace and prosrc like '%''${channel}''%'
    loop
      execute replace(pg_catalog.pg_get_functiondef(f.oid), $q$'${channel}',$q$, $q$'watchfloor_changed', ${prefix}$q$);
    end loop;
  end $do$`,
  ),
  trigger("notify_model", "perform pg_notify('watchfloor_changed', 'model:');"),
  `create trigger notify_change after insert or update or delete on watchfloor.model
  for each statement execute function watchfloor.notify_model()`,
  trigger(
    "notify_comment",
    `perform pg_notify('watchfloor_changed', 'comment:' || new.n);
    perform pg_notify('watchfloor_changed', 'mentions:' || m.id)
    from (select unnest(new.mentions) union select unnest(old.mentions)) m (id);`,
  ),
  `create trigger notify_change after insert or update of changed_at on watchfloor.comment
  for each row execute function watchfloor.notify_comment()`,
  trigger("notify_read", "perform pg_notify('watchfloor_changed', 'mentions:' || new.user_id);"),
  `create trigger notify_change after insert or update on watchfloor.comment_read
  for each row execute function watchfloor.notify_read()`,
  // The next check takes the triggers as it finds them (capture-check.ts).
  "update watchfloor.installation set triggers = null",
];

/**
 * `schema-5`: tables and fields of former versions as they last were, before a version that changed or removed them, and all names that they had
 * (models.ts). `version` is the last one that had them so. A field's row has its id; that of the table itself an empty one.
 */
export const formerParts: readonly string[] = [
  `create table watchfloor.former_part (
    table_id text not null,
    field_id text not null default '',
    version int not null,
    names text[] not null,
    document jsonb not null,
    primary key (table_id, field_id)
  )`,
  `create function watchfloor.record_former_parts(of_version int, tables jsonb) returns void language sql as $$
    insert into watchfloor.former_part as p (table_id, field_id, version, names, document)
    select coalesce(t.value ->> 'id', t.value ->> 'name'), part.id, of_version,
      array(select distinct n from unnest(part.names) n where n is not null), part.document
    from jsonb_array_elements(tables) t cross join lateral (
      select '', '{}'::text[], t.value
      union all
      select distinct on (1) coalesce(f.value ->> 'id', f.value ->> 'name'),
        array[coalesce(f.value ->> 'id', f.value ->> 'name'), coalesce(f.value ->> 'column', f.value ->> 'name'),
          f.value ->> 'logKey'], f.value
      from jsonb_array_elements(t.value -> 'fields') f
    ) part (id, names, document)
    on conflict (table_id, field_id) do update
      set version = excluded.version, document = excluded.document,
        names = array(select distinct n from unnest(p.names || excluded.names) n)
  $$`,
  `do $do$
  declare
    m record;
  begin
    for m in select version, document from watchfloor.model order by version loop
      perform watchfloor.record_former_parts(m.version, m.document -> 'tables');
    end loop;
  end $do$`,
];

/**
 * `schema-6`: when the user of a session last proved who they are, which of sessions from before nobody knows; and the API token
 * that created a webhook, by whose rights it sends; and of a display its owner, and the role and attributes whose rights bound what it
 * shows. A display from before has none until somebody takes it over, and shows what its wallboards were published with.
 */
export const provenSessions: readonly string[] = [
  "alter table watchfloor.session add column proven_at timestamptz not null default '-infinity'",
  "alter table watchfloor.session alter column proven_at set default now()",
  "alter table watchfloor.webhook add column token text",
  `alter table watchfloor.display add column owner text, add column role text,
    add column attributes jsonb not null default '{}'`,
];

/**
 * `schema-7`: signing in with the company's accounts. A linked account is known by its issuer and subject, never by its email. What a
 * session from a provider holds of it ends it when the provider says so, and signs out there.
 */
export const companyAccounts: readonly string[] = [
  `create table watchfloor.identity_provider (
    id text primary key,
    name text not null,
    issuer text not null,
    client_id text not null,
    client_secret text not null,
    options jsonb not null,
    from_environment boolean not null default false,
    created_at timestamptz not null default now()
  )`,
  `create table watchfloor.linked_account (
    issuer text not null,
    subject text not null,
    ${userId},
    provider text not null,
    created_at timestamptz not null default now(),
    last_used timestamptz not null default now(),
    primary key (issuer, subject)
  )`,
  "create index linked_account_user on watchfloor.linked_account (user_id)",

  // A browser on its way to a provider and back: valid once. \`problem\` is why it was refused, for the page that it comes back to.
  `create table watchfloor.provider_visit (
    id text primary key,
    browser text not null,
    provider text not null,
    purpose text not null check (purpose in ('sign_in', 'proof', 'link')),
    session text,
    invitation text,
    nonce text not null,
    verifier text not null,
    return_to text not null,
    created_at timestamptz not null default now(),
    used_at timestamptz,
    problem jsonb
  )`,
  "create index provider_visit_browser on watchfloor.provider_visit (browser)",
  "create table watchfloor.logout_token (id text primary key, created_at timestamptz not null default now())",

  `alter table watchfloor.session add column provider text, add column issuer text, add column subject text,
    add column provider_session text, add column id_token text`,
  "create index session_of_subject on watchfloor.session (issuer, subject) where issuer is not null",
  // By which provider's groups a user has their role; null: by hand.
  'alter table watchfloor."user" add column role_provider text',
  notifyAccount("linked_account", "insert or delete"),
  "update watchfloor.installation set triggers = null",
];

/**
 * `schema-9c`: the order of records by hand. `order_version` counts how often records of a view were moved. A record that was moved has a
 * rank, on the scale of the numbers of entry and never one of them (server/store/views/record-ranks.ts).
 */
export const recordRanks = [
  "alter table watchfloor.view add column order_version int not null default 0",
  `create table watchfloor.record_rank (
    view text not null references watchfloor.view on delete cascade,
    record text collate "C" not null,
    rank numeric not null,
    primary key (view, record)
  )`,
  "create index record_rank_order on watchfloor.record_rank (view, rank)",
];

/** `schema-9`: whether the user of a session still has to show the second factor that their role requires. */
export const factorOfSessions: readonly string[] = [
  "alter table watchfloor.session add column lacks_factor boolean not null default false",
  `create trigger notify_factor after update of lacks_factor on watchfloor.session for each row
  execute function watchfloor.notify_access('session')`,
  "update watchfloor.installation set triggers = null",
];

/** The first row of an installation, which gives it its id. */
export const beginInstallation = () =>
  `insert into watchfloor.installation (bus_key) values ('${randomBytes(32).toString("hex")}')`;
