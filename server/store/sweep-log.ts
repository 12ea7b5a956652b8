import type { Database } from "./database.ts";

/** Numberings removed by one statement, each of up to a thousand changes: none must hold anything for long. */
const SWEEP_BATCH = 500;
/** Changes of removed tables removed by one statement. */
const REMOVED_BATCH = 10_000;

/**
 * Forgets changes and kept mutations older than `keepMs`, and what is left of removed tables. The floor rises first, so that nobody is
 * promised a replay of what is about to go. Safe to run on several servers at once.
 */
export async function sweepLog(database: Database, keepMs: number): Promise<void> {
  const { pool } = database;
  const age = `${Math.round(keepMs)} milliseconds`;
  await pool.query(raiseFloors, [age]);
  for (;;) {
    const { rows } = await pool.query<{ swept: number }>(removeNumberings, [SWEEP_BATCH]);
    if (!rows[0]?.swept) break;
  }
  await forgetRemovedTables(database);
  await pool.query("delete from watchfloor.mutation where at < now() - $1::interval", [age]);
  // Markers of ended transactions mean nothing; those still open are not visible here.
  await pool.query("delete from watchfloor.marker");
}

/**
 * Of a table that was removed nothing can be told or brought back any more. Numberings go last: by them
 * it is known, also after a cut, what is left.
 */
async function forgetRemovedTables({ pool }: Database): Promise<void> {
  const { rows } = await pool.query<{ feed: number }>(
    "select distinct feed from watchfloor.numbering except select id from watchfloor.feed",
  );
  if (rows.length === 0) return;
  const feeds = rows.map(({ feed }) => feed);
  for (;;) {
    const { rowCount } = await pool.query(removeChanges, [feeds, REMOVED_BATCH]);
    if (!rowCount) break;
  }
  await pool.query("delete from watchfloor.numbering where feed = any($1::int[])", [feeds]);
}

const removeChanges = `
  delete from watchfloor.change where (tx, ord) in (
    select tx, ord from watchfloor.change where feed = any($1::int[]) limit $2)`;

const raiseFloors = `
  update watchfloor.feed f set floor = old.upto
  from (
    select feed, max(upto) as upto from watchfloor.numbering
    where at < now() - $1::interval group by feed
  ) old
  where old.feed = f.id and old.upto > f.floor`;

const removeNumberings = `
  with old as (
    select n.feed, n.upto, n.tx, n.first_ord, n.last_ord
    from watchfloor.feed f join watchfloor.numbering n on n.feed = f.id and n.upto <= f.floor
    order by n.feed, n.upto limit $1 for update of n skip locked
  ), changes as (
    delete from watchfloor.change c using old
    where c.tx = old.tx and c.feed + 0 = old.feed and c.ord between old.first_ord and old.last_ord
  ), numberings as (
    delete from watchfloor.numbering n using old
    where n.feed = old.feed and n.upto = old.upto returning 1
  )
  select count(*) as swept from numberings`;
