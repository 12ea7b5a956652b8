import type { Database } from "./database.ts";

/** Numberings removed by one statement, each of up to a thousand changes: none must hold locks for long. */
const SWEEP_BATCH = 500;

/**
 * Deletes changes and stored mutations older than `retentionMs`. Age alone decides: a new epoch ends the
 * replay of a feed and never its history, and the changes of a removed table are retained as long as any
 * others. The floor rises before anything is deleted, so that no server promises to replay it. Safe to run on
 * several servers at once.
 */
export async function sweepLog({ pool }: Database, retentionMs: number): Promise<void> {
  const age = `${Math.round(retentionMs)} milliseconds`;
  const { rows } = await pool.query<{ before: string }>(
    "select (now() - $1::interval)::text as before",
    [age],
  );
  const before = rows[0]?.before;
  for (;;) {
    await pool.query(raiseFloors, [before, SWEEP_BATCH]);
    const { rows: swept } = await pool.query<{ count: number }>(deleteOld, [before, SWEEP_BATCH]);
    if (!swept[0]?.count) break;
  }
  await pool.query(deleteEmptyFeeds);
  await pool.query("delete from watchfloor.former_epoch where ended_at < $1::timestamptz", [
    before,
  ]);
  await pool.query("delete from watchfloor.mutation where at < $1::timestamptz", [before]);
  // Markers of ended transactions are meaningless; those still open are not visible here.
  await pool.query("delete from watchfloor.marker");
}

/** The oldest numberings of each feed, found by the primary key alone: nothing newer is read. */
const oldest = `
  with recursive feeds as (
    (select feed from watchfloor.numbering order by feed limit 1)
    union all
    select (select n.feed from watchfloor.numbering n where n.feed > f.feed order by n.feed limit 1)
    from feeds f where f.feed is not null
  ), old as (
    select n.* from feeds f cross join lateral (
      select * from watchfloor.numbering where feed = f.feed order by upto limit $2
    ) n
    where n.at < $1::timestamptz
  )`;

/** Of removed tables, once nothing of their history is left. */
const deleteEmptyFeeds = `
  delete from watchfloor.feed f where f.table_name is null
    and not exists (select from watchfloor.numbering n where n.feed = f.id)`;

const raiseFloors = `${oldest}
  update watchfloor.feed f set floor = o.upto
  from (select feed, max(upto) as upto from old group by feed) o
  where o.feed = f.id and o.upto > f.floor`;

const deleteOld = `${oldest}, chosen as (
    select n.feed, n.upto, n.tx, n.first_ord, n.last_ord
    from watchfloor.numbering n join old using (feed, upto)
    order by n.feed, n.upto limit $2 for update of n skip locked
  ), changes as (
    delete from watchfloor.change c using chosen o
    where c.tx = o.tx and c.feed + 0 = o.feed and c.ord between o.first_ord and o.last_ord
  ), numberings as (
    delete from watchfloor.numbering n using chosen o
    where n.feed = o.feed and n.upto = o.upto returning 1
  )
  select count(*) as count from numberings`;
