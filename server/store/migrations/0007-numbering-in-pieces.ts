import { type Kysely, sql } from "kysely";

/**
 * A transaction of very many rows is numbered in pieces. A change's seq is counted within its
 * numbering, and a span begins somewhere within one: with one numbering for 200,000 rows every read
 * counted through all of them, and the feed stood still for a minute. What was numbered before stays.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(numberChanges).execute(db);
}

/** Rows of one numbering at most. */
const PIECE_MAX_CHANGES = 1_000;

const numberChanges = `create or replace function watchfloor.number_changes() returns trigger
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
  end $$`;
