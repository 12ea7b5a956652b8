import { type Kysely, sql } from "kysely";
import type { Model } from "../../../shared/model/model.ts";
import { mayNameAuthors } from "../author.ts";
import { installCapture } from "../capture.ts";
import { installStamps } from "../stamps.ts";

/**
 * Commits cost less, and no setting alone can name another author, suppress numbering or number twice (capture.ts).
 * The transaction is made durable (migration 0029) where it is numbered.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  const { rows } = await sql<{ document: Model }>`
    select document from watchfloor.model order by version desc limit 1`.execute(db);
  for (const table of rows[0]?.document.tables ?? []) {
    await installCapture(db, table);
    await installStamps(db, table);
  }
}

/** Rows of one numbering at most, as in 0007. */
const PIECE_MAX_CHANGES = 1_000;

const statements = [
  // Without a `set` of its own, so that it is inlined.
  `create or replace function watchfloor.instance() returns text language sql stable as $$
    select extract(epoch from pg_catalog.pg_postmaster_start_time())::pg_catalog.text
      operator(pg_catalog.||) ' ' operator(pg_catalog.||)
      pg_catalog.pg_relation_filepath('watchfloor.feed'::pg_catalog.regclass)
  $$`,

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

  // What the inserting statement logged: a transaction of one statement need not be read again to be numbered.
  "alter table watchfloor.marker add column feed int, add column n bigint, add column last_ord bigint",

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
  `create or replace function watchfloor.number_changes() returns trigger
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

  "drop trigger commit_durably on watchfloor.marker",
  "drop function watchfloor.commit_durably()",

  // The answers before the feeds, on every server, so that two of them can't deadlock.
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
