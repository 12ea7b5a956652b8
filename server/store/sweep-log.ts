import { type RawBuilder, sql } from "kysely";
import type { Database, Db } from "./database.ts";
import { authorJoin } from "./feed-log.ts";
import { appendToArchive } from "./log-archive.ts";
import { ago, execute, hold, numberOf, rowOf, rowsOf, SWEPT_AT_ONCE } from "./statement.ts";

/** Numberings removed by one statement, each of up to a thousand changes: none must hold locks for long. */
const SWEEP_BATCH = 500;
/** As the trigger numbers them (schema/change-log.ts). */
const PIECE_MAX_CHANGES = 1_000;
/** Changes that are archived and deleted together, and that are read at once: fewer where their values would take more. */
const ARCHIVE_BATCH_CHANGES = 5_000;
const ARCHIVE_READ_CHANGES = 500;
/** What the size of the changes is estimated by. */
const ARCHIVE_FIRST_READ = 50;
const ARCHIVE_READ_BYTES = 8_388_608;

/**
 * Deletes changes and stored mutations older than `retentionMs`. Age alone decides: a new epoch ends the
 * replay of a feed and never its history, and the changes of a removed table are retained as long as any
 * others. The floor rises before anything is deleted, so that no server promises to replay it. Safe to run on
 * several servers at once.
 *
 * One sweep deletes the oldest six hours at most, in case the machine's clock is set forward (`sweptBefore` in statement.ts).
 *
 * With `archive`, a folder, changes are on disk there before they are deleted; if they can't be written, they
 * stay in the log and this throws. A crash between the two can repeat lines, and never lose one.
 */
export async function sweepLog(
  database: Database,
  retentionMs: number,
  archive?: string,
): Promise<void> {
  const { kysely } = database;
  const before = await readBefore(kysely, retentionMs);
  for (;;) {
    await raiseFloors(kysely, before);
    const deleted = archive
      ? await archiveBatch(database, before, archive)
      : await deleteBatch(database, before);
    if (deleted === 0) break;
  }
  await deleteEmptyFeeds(kysely);
  await kysely.deleteFrom("watchfloor.former_epoch").where("ended_at", "<", before).execute();
  await kysely.deleteFrom("watchfloor.mutation").where("at", "<", before).execute();
  // Markers of ended transactions are meaningless; those still open are not visible here.
  await kysely.deleteFrom("watchfloor.marker").execute();
}

/** Deletes one batch; how many numberings it had. */
function deleteBatch({ kysely }: Database, before: string): Promise<number> {
  return deleteChosen(kysely, oldOnes(before, SWEEP_BATCH * PIECE_MAX_CHANGES));
}

/**
 * The same, in a transaction that commits when the changes are on disk. Servers archive one after the other, so that a file's lines
 * never mix.
 */
function archiveBatch({ kysely }: Database, before: string, folder: string): Promise<number> {
  return kysely.transaction().execute(async (tx) => {
    await hold(tx, "log_archive");
    const old = oldOnes(before, ARCHIVE_BATCH_CHANGES);
    const chosen = await rowsOf<Numbering>(tx)`${old}`;
    if (chosen.length === 0) return 0;
    await declareLines(tx, chosen);
    for await (const lines of fetchLines(tx)) await appendToArchive(folder, lines);
    await deleteChosen(tx, named(chosen));
    return chosen.length;
  });
}

/** The lines of the cursor, in parts. */
async function* fetchLines(tx: Db): AsyncGenerator<string[]> {
  for (let count = ARCHIVE_FIRST_READ; ; ) {
    const rows = await rowsOf<{ line: string }>(tx)`fetch ${sql.lit(count)} from lines`;
    const lines = rows.map(({ line }) => line);
    if (lines.length > 0) yield lines;
    if (lines.length < count) return;
    const bytes = lines.reduce((sum, line) => sum + line.length, 0) / count;
    count = Math.max(1, Math.min(ARCHIVE_READ_CHANGES, Math.floor(ARCHIVE_READ_BYTES / bytes)));
  }
}

/** A numbering, by the feed and the end by which it is found. */
interface Numbering {
  feed: number;
  upto: number;
}

type Rows = RawBuilder<unknown>;

/** The feeds that have a log. */
const feedsWithLog = sql`
  with recursive feeds as (
    (select feed from watchfloor.numbering order by feed limit 1)
    union all
    select (select n.feed from watchfloor.numbering n where n.feed > f.feed order by n.feed limit 1)
    from feeds f where f.feed is not null
  )`;

/** The numberings at the beginning of each feed, found by the primary key alone: nothing newer is read. */
const first = (limit: number) => sql`
  select n.* from feeds f cross join lateral (
    select * from watchfloor.numbering where feed = f.feed order by upto limit ${limit}
  ) n`;

/** Up to when one sweep deletes. */
async function readBefore(db: Db, retentionMs: number): Promise<string> {
  const row = await rowOf<{ before: string }>(db)`${feedsWithLog}
    select least(${ago(retentionMs)}, min(at) + interval '${sql.raw(SWEPT_AT_ONCE)}')::text as before
    from (select at from (${first(1)}) n
      union all (select at from watchfloor.mutation order by at limit 1)) entries`;
  return row?.before ?? "-infinity";
}

/** Those of them that are old. */
const oldest = (before: string) => sql`${feedsWithLog},
  old as (select * from (${first(SWEEP_BATCH)}) n where at < ${before}::timestamptz)`;

/** Of removed tables, once nothing of their history is left. */
async function deleteEmptyFeeds(db: Db): Promise<void> {
  await execute(db)`delete from watchfloor.feed f where f.table_name is null
    and not exists (select from watchfloor.numbering n where n.feed = f.id)`;
}

async function raiseFloors(db: Db, before: string): Promise<void> {
  await execute(db)`${oldest(before)}
    update watchfloor.feed f set floor = o.upto
    from (select feed, max(upto) as upto from old group by feed) o
    where o.feed = f.id and o.upto > f.floor`;
}

/** The old numberings of one batch and, except for the last one, at most so many changes. */
const oldOnes = (before: string, changes: number): Rows => sql`${oldest(before)}, bounded as (
    select *, sum(n) over (order by feed, upto) - n as earlier from old
  )
  select n.* from watchfloor.numbering n join bounded b using (feed, upto)
  where b.earlier < ${changes}
  order by n.feed, n.upto limit ${SWEEP_BATCH} for update of n skip locked`;

/** Numberings that are named by their feeds and ends. */
const named = (chosen: readonly Numbering[]): Rows => sql`select n.*
  from unnest(${chosen.map(({ feed }) => feed)}::int[], ${chosen.map(({ upto }) => upto)}::bigint[]) w(feed, upto)
  join watchfloor.numbering n on n.feed = w.feed and n.upto = w.upto`;

const ofNumbering = sql`c.tx = o.tx and c.feed + 0 = o.feed and c.ord between o.first_ord and o.last_ord`;

/** Deletes numberings with their changes; how many numberings. */
function deleteChosen(db: Db, chosen: Rows): Promise<number> {
  return numberOf(db)`
    with chosen as (${chosen}), changes as (
      delete from watchfloor.change c using chosen o where ${ofNumbering}
    ), numberings as (
      delete from watchfloor.numbering n using chosen o
      where n.feed = o.feed and n.upto = o.upto returning 1
    )
    select count(*) as count from numberings`;
}

/** As they were stored: `names` says which column is which field, and a column without a name is that of a removed field. */
async function declareLines(tx: Db, chosen: readonly Numbering[]): Promise<void> {
  await execute(tx)`
    declare lines no scroll cursor for
    select json_build_object('table', f.table_name, 'tableId', f.table_id, 'names', f.names,
      'seq', o.upto - o.n + row_number() over (partition by c.feed, o.upto order by c.ord),
      'kind', c.kind, 'record', c.record, 'before', c.before, 'after', c.after,
      'actor', c.actor, 'name', coalesce(u.name, token.name), 'at', c.at, 'mutation', c.mutation,
      'origin', c.origin, 'changeSet', c.change_set, 'transition', c.transition, 'reason', c.reason,
      'erased', c.erased)::text as line
    from (${named(chosen)}) o join watchfloor.change c on ${ofNumbering}
    join watchfloor.feed f on f.id = c.feed ${sql.raw(authorJoin)}
    order by c.feed, c.ord`;
}
