import { mayNameAuthors } from "../author.ts";

/**
 * The change log: what was committed to the tables of the model, by whatever program, in the order of its commits.
 *
 * Capture triggers (capture.ts) write each changed row into `change` at once, keyed by transaction and ordinal. Positions can't be
 * assigned there: transactions commit in another order than they write, and a reader that has gone past a position must never find
 * something new before it. So one deferred trigger for each transaction, on `marker`, runs at its commit: it locks the heads of the
 * feeds that were written, in sorted order, and inserts a row of `numbering` for each. The lock is held until the commit is visible. So
 * `seq` order is commit order, dense, and a rollback leaves no hole. A change's seq is `upto - n + its rank by ord` within its
 * numbering: nothing is written twice.
 *
 * Refused: a `bigserial` as the cursor (readers lose late commits), and the order of transaction ids (inverts writes of one row).
 *
 * An **epoch** belongs to one run of one Postgres on one set of files. A restored backup, a promoted standby or a copied data folder is
 * another run, so the first write to it, by whatever program, begins another epoch. A plain restart does so too: nothing inside a
 * database distinguishes the two. The new epoch continues the former one up to the head that was found; a position beyond that head is
 * of a history that is lost, and is never replayed.
 *
 * A change is published when its commit is visible. With `synchronous_commit = off` that is before it is durable: if one backend crashes,
 * Postgres starts again within the same run, without the last commits, and assigns their positions a second time. So a transaction
 * that is captured waits for its own flush.
 */

/**
 * Rows of one numbering at most. A seq is counted within its numbering: with one for 200,000 rows each read counted through all of them,
 * and the feed stood still for a minute.
 */
const PIECE_MAX_CHANGES = 1_000;

const tables = [
  // `table_name` is null once the table was removed: what the log holds of it stays attributable by `table_id` until it is old.
  // `names` holds the current names of columns, null while each is called as it was. `shape` and `digested_shape` end with schema-2.
  `create table watchfloor.feed (
    id int generated always as identity primary key,
    table_name text unique,
    table_id text,
    epoch text not null default replace(gen_random_uuid()::text, '-', ''),
    head bigint not null default 0,
    floor bigint not null default 0,
    names jsonb,
    instance text,
    shape bigint not null default 0,
    digested_shape bigint
  ) with (fillfactor = 20)`,

  "create sequence watchfloor.change_ord cache 1",

  // `erased`: the columns that had a value which was erased, as the keys of an object.
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
    change_set text,
    transition text,
    reason text,
    at timestamptz not null default clock_timestamp(),
    origin text,
    erased jsonb,
    primary key (tx, ord)
  )`,
  "create index change_record on watchfloor.change (feed, record, ord)",
  // The activity reads the log of all tables in the order of `ord`, which a restored dump keeps, while its transaction numbers begin
  // anew. On an expression, so that the planner takes it for nothing else.
  "create index change_order on watchfloor.change ((ord + 0))",
  "create index change_change_set on watchfloor.change (change_set, ord) where change_set is not null",
  "create index change_erased on watchfloor.change (feed, record) where erased is not null",

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

  // Emptied by the sweep and by a crash alike: a marker means nothing once its transaction has ended. `feed`, `n` and `last_ord` are what
  // the inserting statement logged: a transaction of one statement need not be read again to be numbered.
  `create unlogged table watchfloor.marker (
    tx xid8 not null,
    since bigint not null,
    feed int,
    n bigint,
    last_ord bigint
  )`,

  // A position of `epoch` is one of the present history as far as `upto`.
  `create table watchfloor.former_epoch (
    feed int not null,
    epoch text not null,
    upto bigint not null,
    ended_at timestamptz not null default now(),
    primary key (feed, epoch)
  )`,

  // Ends with schema-2.
  `create table watchfloor.known_record (
    feed int not null,
    record text collate "C" not null,
    digest uuid not null,
    primary key (feed, record)
  )`,

  // The answers of mutations. Those that were refused as a whole are deleted after minutes: the sweep finds them without the others.
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
  `create index mutation_refused on watchfloor.mutation (at) where not (results @> '[{"ok": true}]')`,
];

const epochs = [
  // Which run of Postgres this is, and on which files: a database that was restored or copied has others. Without a `set` of its own, so
  // that it is inlined.
  `create function watchfloor.instance() returns text language sql stable as $$
    select extract(epoch from pg_catalog.pg_postmaster_start_time())::pg_catalog.text
      operator(pg_catalog.||) ' ' operator(pg_catalog.||)
      pg_catalog.pg_relation_filepath('watchfloor.feed'::pg_catalog.regclass)
  $$`,
  "alter table watchfloor.feed alter column instance set default watchfloor.instance()",

  `create function watchfloor.continue_epoch(of_feed int, at_head bigint) returns void
  language sql set search_path = pg_catalog as $$
    insert into watchfloor.former_epoch (feed, epoch, upto)
    select id, epoch, at_head from watchfloor.feed where id = of_feed;
    update watchfloor.feed
    set epoch = replace(gen_random_uuid()::text, '-', ''), instance = watchfloor.instance()
    where id = of_feed;
  $$`,

  // Another epoch that continues none: nothing before it is replayed.
  `create function watchfloor.break_epoch(of_feed int) returns void
  language sql set search_path = pg_catalog as $$
    delete from watchfloor.former_epoch where feed = of_feed;
    update watchfloor.feed set epoch = replace(gen_random_uuid()::text, '-', ''), floor = head,
      instance = watchfloor.instance()
    where id = of_feed;
  $$`,

  // For a server that finds itself on another instance before anybody has written there.
  `create function watchfloor.open_epochs() returns void
  language plpgsql security definer set search_path = pg_catalog as $$
  declare
    stale record;
  begin
    for stale in
      select id, head from watchfloor.feed
      where table_name is not null and instance is distinct from watchfloor.instance()
      order by id for update
    loop
      perform watchfloor.continue_epoch(stale.id, stale.head);
    end loop;
  end $$`,

  `create function watchfloor.reshape(of_feed int) returns void
  language sql set search_path = pg_catalog as $$
    update watchfloor.feed set shape = nextval('watchfloor.change_ord') where id = of_feed;
  $$`,

  // A truncated table has no entry for each record in the log: every client starts afresh.
  `create function watchfloor.new_epoch() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
  begin
    perform watchfloor.break_epoch(id), watchfloor.reshape(id)
    from watchfloor.feed where table_name = tg_argv[0];
    perform pg_notify('watchfloor_feed', tg_argv[0]);
    return null;
  end $$`,
];

const numbering = [
  // Whether the open transaction's row of marker has not been numbered yet; "marked" is its place. Plans are cached: one
  // made while a table was small would read the whole of it later.
  `create function watchfloor.is_pending(marked text) returns boolean
  language plpgsql set search_path = pg_catalog set enable_seqscan = off as $$
  begin
    return marked ~ '^[(][0-9]{1,9},[0-9]{1,4}[)]$' and exists (
      select from watchfloor.marker m
      where m.ctid = marked::tid and m.tx = pg_current_xact_id() and not exists (
        select from watchfloor.numbering n where n.tx = m.tx and n.last_ord > m.since));
  end $$`,

  `create function watchfloor.number_feed(
    of_feed int, changes bigint, of_tx xid8, first_ord bigint, last_ord bigint) returns void
  language plpgsql set search_path = pg_catalog as $$
  declare
    position bigint;
    begun_on text;
    of_table text;
  begin
    update watchfloor.feed set head = head + changes where id = of_feed
    returning head, instance, table_name into position, begun_on, of_table;
    if not found then return; end if;
    if begun_on is distinct from watchfloor.instance() then
      perform watchfloor.continue_epoch(of_feed, position - changes);
    end if;
    if changes <= ${PIECE_MAX_CHANGES} then
      insert into watchfloor.numbering (feed, upto, n, tx, first_ord, last_ord)
      values (of_feed, position, changes, of_tx, first_ord, last_ord);
    else
      insert into watchfloor.numbering (feed, upto, n, tx, first_ord, last_ord)
      select of_feed, position - changes + max(r.rank), count(*), of_tx, min(r.ord), max(r.ord)
      from (
        select c.ord, row_number() over (order by c.ord) as rank from watchfloor.change c
        where c.tx = of_tx and c.feed = of_feed and c.ord between first_ord and last_ord
      ) r
      group by (r.rank - 1) / ${PIECE_MAX_CHANGES};
    end if;
    -- Own commits hint directly; NOTIFY serialises commits, so only writers outside pay for it.
    if coalesce(current_setting('watchfloor.hint', true), '') <> 'own' or not ${mayNameAuthors} then
      perform pg_notify('watchfloor_feed', of_table);
    end if;
  end $$`,

  // One number is drawn per change, and one before each statement. If none was drawn since, all is in this row of marker.
  // Otherwise what an earlier row has numbered is left out, and another number ensures that the next row sees it.
  `create function watchfloor.number_changes() returns trigger
  language plpgsql security definer set search_path = pg_catalog set enable_seqscan = off as $$
  declare
    noted record;
  begin
    if current_setting('synchronous_commit') = 'off' then
      perform set_config('synchronous_commit', 'local', true);
    end if;
    if new.n <= ${PIECE_MAX_CHANGES} and new.last_ord = currval('watchfloor.change_ord') then
      perform watchfloor.number_feed(new.feed, new.n, new.tx, new.since + 1, new.last_ord);
    else
      for noted in
        select c.feed, count(*) as n, min(c.ord) as first_ord, max(c.ord) as last_ord
        from watchfloor.change c
        where c.tx = new.tx and c.ord > greatest(new.since, (
          select max(n.last_ord) from watchfloor.numbering n where n.tx = new.tx))
        group by c.feed order by c.feed
      loop
        perform watchfloor.number_feed(noted.feed, noted.n, new.tx, noted.first_ord, noted.last_ord);
      end loop;
      perform nextval('watchfloor.change_ord');
    end if;
    perform set_config('watchfloor.marked', '', true);
    return null;
  end $$`,
  `create constraint trigger number_changes after insert on watchfloor.marker
  deferrable initially deferred for each row execute function watchfloor.number_changes()`,
  // Changes are captured in replica mode, too.
  "alter table watchfloor.marker enable always trigger number_changes",

  // What a transaction's numbered changes are called: for acknowledgements, fresh and repeated. "+ 0" leaves the planner no way but the
  // primary key, also before it has any statistics.
  `create function watchfloor.numbered(of_tx xid8)
  returns table ("table" text, record text, mutation text, actor text, seq bigint)
  language sql stable as $$
    select f.table_name, c.record, c.mutation, c.actor,
      n.upto - n.n + row_number() over (partition by n.feed, n.upto order by c.ord)
    from watchfloor.numbering n
    join watchfloor.change c
      on c.tx = n.tx and c.feed + 0 = n.feed and c.ord between n.first_ord and n.last_ord
    join watchfloor.feed f on f.id = n.feed
    where n.tx = of_tx
  $$`,

  // A server's last statement before COMMIT: stores the answers of its mutations and numbers what it logged. The answers before the
  // feeds, on every server, so that two of them can't deadlock.
  `create function watchfloor.finalize(
    wait text, authors text[], ids text[], hashes text[], answers jsonb[]) returns void
  language plpgsql as $$
  begin
    perform set_config('lock_timeout', wait, true);
    insert into watchfloor.mutation (author, id, hash, results)
    select * from unnest(authors, ids, hashes, answers);
    set constraints watchfloor.number_changes immediate;
  end $$`,
];

export const changeLogSchema: readonly string[] = [...tables, ...epochs, ...numbering];

/**
 * `schema-2`: fingerprints of triggers (capture-check.ts) in place of a digest for each record, and one collation for the ids of records. Those
 * of tables have "C": with another one here, a join could not use the index, and read the log of a table for each of its records.
 */
export const triggerFingerprints: readonly string[] = [
  // An installation that is brought up to date has none yet: its triggers are taken as they are found.
  "alter table watchfloor.feed add column triggers uuid",
  "alter table watchfloor.installation add column triggers uuid",
  // "xmin" changes with each writing of the row, also by a trigger that was disabled and enabled again.
  `create function watchfloor.triggers_of(relation oid) returns uuid
  language sql stable set search_path = pg_catalog as $$
    select md5(coalesce(string_agg(concat_ws(' ', t.tgname, t.oid, t.tgenabled, t.xmin), ',' order by t.tgname), ''))::uuid
    from pg_trigger t join pg_proc p on p.oid = t.tgfoid
    where t.tgrelid = relation and not t.tgisinternal and p.pronamespace = 'watchfloor'::regnamespace
  $$`,
  `create or replace function watchfloor.new_epoch() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
  begin
    perform watchfloor.break_epoch(id) from watchfloor.feed where table_name = tg_argv[0];
    perform pg_notify('watchfloor_feed', tg_argv[0]);
    return null;
  end $$`,
  "drop function watchfloor.reshape(int)",
  "drop table watchfloor.known_record",
  "alter table watchfloor.feed drop column shape, drop column digested_shape",
  // What a webhook gave up is counted at each of its steps.
  `create index webhook_delivery_given_up on watchfloor.webhook_delivery (webhook)
    where state = 'given_up' and kind = 'change'`,
  ...["change", "change_set_op", "comment", "comment_read", "webhook_delivery"].map(
    (table) => `alter table watchfloor.${table} alter column record type text collate "C"`,
  ),
];
