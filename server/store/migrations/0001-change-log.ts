import { type Kysely, sql } from "kysely";

/**
 * The change log. Capture triggers (capture.ts) note rows into `change` at once, keyed by transaction
 * and ordinal. One deferred trigger per transaction, on `marker`, then locks the heads of the touched
 * feeds in sorted order at commit and writes one `numbering` row per feed. The lock is held until the
 * commit is visible, so that seq order is commit order: dense, and a rollback leaves no hole.
 *
 * A row's seq is `upto - n + its rank by ord` within its numbering; nothing is written twice.
 * Refused: a bigserial cursor (loses late commits) and ordering by xid (inverts writes of one row).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table watchfloor.feed (
    id int generated always as identity primary key,
    table_name text not null unique,
    epoch text not null default replace(gen_random_uuid()::text, '-', ''),
    head bigint not null default 0,
    floor bigint not null default 0
  ) with (fillfactor = 20)`,

  "create sequence watchfloor.change_ord cache 1",

  `create table watchfloor.change (
    tx xid8 not null default pg_current_xact_id(),
    ord bigint not null default nextval('watchfloor.change_ord'),
    feed int not null,
    record text not null,
    kind text not null,
    before jsonb,
    after jsonb,
    actor text not null,
    mutation text,
    batch text,
    transition text,
    reason text,
    at timestamptz not null default clock_timestamp(),
    primary key (tx, ord)
  )`,
  "create index change_record on watchfloor.change (feed, record, ord)",

  `create table watchfloor.numbering (
    feed int not null,
    upto bigint not null,
    n int not null,
    tx xid8 not null,
    first_ord bigint not null,
    last_ord bigint not null,
    at timestamptz not null default clock_timestamp(),
    primary key (feed, upto)
  )`,
  "create index numbering_tx on watchfloor.numbering (tx)",

  // Emptied by the sweep and by a crash alike: a marker means nothing once its transaction has ended.
  "create unlogged table watchfloor.marker (tx xid8 not null, since bigint not null)",

  `create function watchfloor.number_changes() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
  declare
    noted record;
    position bigint;
  begin
    for noted in
      select c.feed, f.table_name, count(*) as n, min(c.ord) as first_ord, max(c.ord) as last_ord
      from watchfloor.change c join watchfloor.feed f on f.id = c.feed
      where c.tx = pg_current_xact_id() and c.ord > new.since
      group by c.feed, f.table_name order by c.feed
    loop
      update watchfloor.feed set head = head + noted.n where id = noted.feed returning head into position;
      insert into watchfloor.numbering (feed, upto, n, tx, first_ord, last_ord)
      values (noted.feed, position, noted.n, new.tx, noted.first_ord, noted.last_ord);
      -- Own commits hint directly; NOTIFY serialises commits, so only writers outside pay for it.
      if coalesce(current_setting('watchfloor.hint', true), '') <> 'own' then
        perform pg_notify('watchfloor_feed', noted.table_name);
      end if;
    end loop;
    perform set_config('watchfloor.marked', '', true);
    return null;
  end $$`,

  `create constraint trigger number_changes after insert on watchfloor.marker
   deferrable initially deferred for each row execute function watchfloor.number_changes()`,

  // What a transaction's numbered changes are called: for acknowledgements, fresh and repeated.
  `create function watchfloor.numbered(of_tx xid8)
  returns table ("table" text, record text, mutation text, actor text, seq bigint)
  language sql stable as $$
    select f.table_name, c.record, c.mutation, c.actor,
      n.upto - n.n + row_number() over (partition by n.feed, n.upto order by c.ord)
    from watchfloor.numbering n
    -- "+ 0" leaves the planner no way but the primary key, also before it has any statistics
    join watchfloor.change c
      on c.tx = n.tx and c.feed + 0 = n.feed and c.ord between n.first_ord and n.last_ord
    join watchfloor.feed f on f.id = n.feed
    where n.tx = of_tx
  $$`,

  `create table watchfloor.mutation (
    author text not null,
    id text not null,
    hash text not null,
    results jsonb not null,
    tx xid8 not null default pg_current_xact_id(),
    at timestamptz not null default now(),
    primary key (author, id)
  )`,
  "create index mutation_at on watchfloor.mutation (at)",

  // The writer's last word before COMMIT: keeps the answers of its mutations, numbers what it noted and tells it.
  `create function watchfloor.seal(authors text[], ids text[], hashes text[], results jsonb[])
  returns table ("table" text, record text, mutation text, actor text, seq bigint)
  language plpgsql as $$
  begin
    insert into watchfloor.mutation (author, id, hash, results)
    select * from unnest(authors, ids, hashes, results);
    set constraints watchfloor.number_changes immediate;
    return query select * from watchfloor.numbered(pg_current_xact_id_if_assigned());
  end $$`,

  // A new epoch is another history: every client starts afresh.
  `create function watchfloor.new_epoch() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
  begin
    update watchfloor.feed
    set epoch = replace(gen_random_uuid()::text, '-', ''), floor = head
    where table_name = tg_argv[0];
    perform pg_notify('watchfloor_feed', tg_argv[0]);
    return null;
  end $$`,

  `create table watchfloor.model (
    version int primary key,
    document jsonb not null,
    by text not null,
    at timestamptz not null default now()
  )`,

  "create table watchfloor.platform (key text primary key, value jsonb not null)",
];
