import { type Kysely, sql } from "kysely";

/**
 * An epoch belongs to one run of one Postgres on one set of files. A restored backup, a promoted standby or a copied
 * data folder is another run, so the first write to it, by whatever program, begins another epoch. A plain restart
 * does so too: nothing inside a database tells the two apart. The new epoch continues the old one up to the head
 * that was found; a position beyond that head is of a history that is lost, and is never replayed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** Rows of one numbering at most, as in 0007. */
const PIECE_MAX_CHANGES = 1_000;

const statements = [
  // Which run of Postgres this is, and on which files: a database that was restored or copied has others.
  `create function watchfloor.instance() returns text
  language sql stable set search_path = pg_catalog as $$
    select extract(epoch from pg_postmaster_start_time()) || ' '
      || pg_relation_filepath('watchfloor.feed'::regclass)
  $$`,

  // Null until the next write: an installation that is upgraded begins another epoch, which continues the present one.
  "alter table watchfloor.feed add column instance text",
  "alter table watchfloor.feed alter column instance set default watchfloor.instance()",

  // A position of `epoch` is one of the present history as far as `upto`.
  `create table watchfloor.former_epoch (
    feed int not null,
    epoch text not null,
    upto bigint not null,
    ended_at timestamptz not null default now(),
    primary key (feed, epoch)
  )`,

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

  // A session's right to a replay ends with any change of its rights, also one that is taken back.
  'alter table watchfloor."user" add column rights_version bigint not null default 0',
  "alter table watchfloor.role add column rights_version bigint not null default 0",
  `create function watchfloor.count_rights() returns trigger
  language plpgsql set search_path = pg_catalog as $$
  begin
    new.rights_version := old.rights_version + 1;
    return new;
  end $$`,
  `create trigger count_rights before update on watchfloor."user" for each row
  when ((old.role, old.attributes, old.status) is distinct from (new.role, new.attributes, new.status))
  execute function watchfloor.count_rights()`,
  `create trigger count_rights before update on watchfloor.role for each row
  when ((old.rights, old.grants) is distinct from (new.rights, new.grants))
  execute function watchfloor.count_rights()`,
  // Also for what is written past triggers, as a restore or a replica does.
  'alter table watchfloor."user" enable always trigger count_rights',
  "alter table watchfloor.role enable always trigger count_rights",

  `create or replace function watchfloor.new_epoch() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
  begin
    perform watchfloor.break_epoch(id) from watchfloor.feed where table_name = tg_argv[0];
    perform pg_notify('watchfloor_feed', tg_argv[0]);
    return null;
  end $$`,

  `create or replace function watchfloor.number_changes() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
  declare
    noted record;
    position bigint;
    begun_on text;
    here text := watchfloor.instance();
  begin
    for noted in
      select c.feed, f.table_name, count(*) as n, min(c.ord) as first_ord, max(c.ord) as last_ord
      from watchfloor.change c join watchfloor.feed f on f.id = c.feed
      where c.tx = pg_current_xact_id() and c.ord > new.since
      group by c.feed, f.table_name order by c.feed
    loop
      update watchfloor.feed set head = head + noted.n where id = noted.feed
      returning head, instance into position, begun_on;
      if begun_on is distinct from here then
        perform watchfloor.continue_epoch(noted.feed, position - noted.n);
      end if;
      if noted.n <= ${PIECE_MAX_CHANGES} then
        insert into watchfloor.numbering (feed, upto, n, tx, first_ord, last_ord)
        values (noted.feed, position, noted.n, new.tx, noted.first_ord, noted.last_ord);
      else
        insert into watchfloor.numbering (feed, upto, n, tx, first_ord, last_ord)
        select noted.feed, position - noted.n + max(r.rank), count(*), new.tx, min(r.ord), max(r.ord)
        from (
          select c.ord, row_number() over (order by c.ord) as rank from watchfloor.change c
          where c.tx = new.tx and c.feed = noted.feed and c.ord > new.since
        ) r
        group by (r.rank - 1) / ${PIECE_MAX_CHANGES};
      end if;
      -- Own commits hint directly; NOTIFY serialises commits, so only writers outside pay for it.
      if coalesce(current_setting('watchfloor.hint', true), '') <> 'own' then
        perform pg_notify('watchfloor_feed', noted.table_name);
      end if;
    end loop;
    perform set_config('watchfloor.marked', '', true);
    return null;
  end $$`,
];
