import { CompiledQuery } from "kysely";
import type { Values } from "../../shared/model/model.ts";
import type { Position } from "../../shared/protocol/position.ts";
import { type Origin, originSchema } from "../../shared/protocol/record.ts";
import { authorOf } from "./author.ts";
import type { Database, Db } from "./database.ts";
import type { FeedState, LogChange, ReadSpan } from "./log-change.ts";
import { execute, firstOf, numberOf, rowsOf } from "./statement.ts";

/**
 * The heads of all feeds, in one consistent snapshot. A feed whose epoch was begun on another instance of
 * Postgres first gets its own: a restored database must not continue under the positions of the one that was
 * lost.
 */
export async function readFeedStates({ kysely }: Pick<Database, "kysely">): Promise<FeedState[]> {
  const read = () =>
    rowsOf<FeedState & { isStale: boolean }>(kysely)`
      select table_name as "table", epoch, head, floor, instance is distinct from i.here as "isStale"
      from watchfloor.feed cross join (select watchfloor.instance() as here) i
      where table_name is not null`;
  let rows = await read();
  if (rows.some(({ isStale }) => isStale)) {
    await execute(kysely)`select watchfloor.open_epochs()`;
    rows = await read();
  }
  return rows.map(({ isStale: _, ...state }) => state);
}

/** The head of a feed, as a snapshot sees it, and the oldest position from which its log leads there. */
export async function readPosition(db: Db, table: string) {
  const feed = db.selectFrom("watchfloor.feed").where("table_name", "=", table);
  const position = await firstOf(feed.select(["epoch", "head as seq", "floor"]));
  if (!position) throw new Error(`Table ${table} has no feed.`);
  return position;
}

/** Whether a position belongs to a table's current history: to its epoch, or one that its epoch continues. */
export async function holdsPosition(
  { pool }: Pick<Database, "pool">,
  table: string,
  { epoch, seq }: Position,
): Promise<boolean> {
  const { rows } = await pool.query<{ holds: boolean }>({
    name: "holds-position",
    text: `select ${isPresent("f", "$2", "$3::bigint")} as holds
      from watchfloor.feed f where f.table_name = $1`,
    values: [table, epoch, seq],
  });
  return rows[0]?.holds ?? false;
}

/** The same as SQL, for feed `f`. */
export const isPresent = (f: string, epoch: string, seq: string) => `
  case when ${f}.epoch = ${epoch} then ${seq} <= ${f}.head else exists (
    select from watchfloor.former_epoch e
    where e.feed = ${f}.id and e.epoch = ${epoch} and ${seq} <= e.upto) end`;

/**
 * Begins another epoch if the log no longer holds what was read of this one; does nothing if it has begun
 * already.
 */
export async function abandonEpoch(
  { kysely }: Pick<Database, "kysely">,
  table: string,
  epoch: string,
): Promise<void> {
  await execute(kysely)`select watchfloor.break_epoch(id) from watchfloor.feed
    where table_name = ${table} and epoch = ${epoch}`;
}

/** Stores the fingerprint of a table's triggers, by whoever has changed them (capture-check.ts). */
export async function recordTriggers(db: Db, feed: number): Promise<void> {
  await execute(db)`update watchfloor.feed
    set triggers = watchfloor.triggers_of(format('%I', table_name)::regclass) where id = ${feed}`;
}

/**
 * The position before the oldest change that the log still holds of a table. It may be below the floor:
 * history outlives the epochs that replay is bound to.
 */
export function readLogStart({ kysely }: Pick<Database, "kysely">, table: string): Promise<number> {
  return numberOf(kysely)`
    select coalesce((select n.upto - n.n from watchfloor.numbering n
      where n.feed = f.id order by n.upto limit 1), f.head) as start
    from watchfloor.feed f where f.table_name = ${table}`;
}

/** The change of a record at a position; null if the log does not hold it any more. */
export async function readChangeAt(
  database: Database,
  table: string,
  { seq, record }: { seq: number | null; record: string | null },
): Promise<LogChange | null> {
  if (seq === null) return null;
  const change = (await readSpan(database, table, seq - 1, 1))?.changes[0];
  return change?.seq === seq && change.record === record ? change : null;
}

/**
 * Everything of a feed in (after, to], in commit order and without a gap, at most `limit` changes. `to` is
 * the last one read, or `after` if there is nothing new. No such feed: null. With `maxBytes`, no more than so many bytes of
 * JSON, but at least one change.
 */
export async function readSpan(
  { pool }: Database,
  table: string,
  after: number,
  limit: number,
  maxBytes: number | null = null,
): Promise<ReadSpan | null> {
  const { rows } = await pool.query<{ epoch: string; head: number; changes: ChangeRow[] }>({
    name: "read-span",
    text: spanSql,
    values: [table, after, limit, maxBytes],
  });
  if (!rows[0]) return null;
  const { epoch, head } = rows[0];
  const changes = rows[0].changes.map(toChange);
  return { table, epoch, head, from: after, to: changes.at(-1)?.seq ?? after, changes };
}

/** What a change did to some fields of its record. */
export type ChangedImages = Pick<LogChange, "seq" | "record" | "before" | "after" | "entry">;

/**
 * The next changes of a feed as an open transaction sees them, with only some fields: at most `limit`, and so many bytes of
 * values, but at least one. Null: there is no such feed.
 */
export async function readImagesIn(
  transaction: Db,
  table: string,
  after: number,
  { limit, bytes, fields }: { limit: number; bytes: number; fields: readonly string[] },
): Promise<{ epoch: string; changes: ChangedImages[] } | null> {
  const query = CompiledQuery.raw(imagesSql, [table, after, limit, fields, bytes]);
  const { rows } = await transaction.executeQuery<{ epoch: string; changes: ChangedImages[] }>(
    query,
  );
  return rows[0] ?? null;
}

/**
 * The columns of a change, ready for `toChange`, from `c` (the change), `f` (its feed) and `seq`. The log
 * stores columns and is read under the current names; removed fields are left out. As json and not jsonb: it
 * is only read, and its documents need not be parsed and serialised again.
 */
export const changeColumns = `json_build_object(
    'seq', c.seq, 'kind', c.kind, 'record', c.record,
    'before', case when f.names is null then c.before else watchfloor.named(c.before, f.names) end,
    'after', case when f.names is null then c.after else watchfloor.named(c.after, f.names) end,
    'entry', c.entry, 'actor', c.actor, 'name', coalesce(u.name, token.name), 'at', c.at, 'mutation', c.mutation, 'origin', c.origin,
    'changeSet', c.change_set, 'transition', c.transition, 'reason', c.reason,
    'erased', case when f.names is null then c.erased else watchfloor.named(c.erased, f.names) end)`;

/** The name of a user or a token travels with the change, so that no screen has to look it up. */
export const authorJoin = `left join watchfloor."user" u
  on u.id = substr(c.actor, 6) and left(c.actor, 5) = 'user:'
  left join watchfloor.api_token token
  on token.id = substr(c.actor, 7) and left(c.actor, 6) = 'token:'`;

/** The same name of one change, each looked up by its key. */
export const authorName = `case
  when left(c.actor, 5) = 'user:'
    then (select u.name from watchfloor."user" u where u.id = substr(c.actor, 6))
  when left(c.actor, 6) = 'token:'
    then (select t.name from watchfloor.api_token t where t.id = substr(c.actor, 7)) end`;

/** The changes in ($2, $2 + $3] of feed `f`. It may end inside a transaction: one that touched a million rows must not be read at once. */
const nextChanges = `
  select n.upto - n.n + n.skip + row_number() over (partition by n.upto order by k.ord) as seq, k.*
  from (
    select *, greatest($2 - (upto - n), 0) as skip from (
      select * from watchfloor.numbering where feed = f.id and upto > $2 order by upto limit $3
    ) next
    where upto - n < $2 + $3
  ) n
  cross join lateral (
    select * from watchfloor.change k
    where k.tx = n.tx and k.feed + 0 = n.feed and k.ord between n.first_ord and n.last_ord
    order by k.ord offset n.skip limit least(n.n, $2 + $3 - (n.upto - n.n)) - n.skip
  ) k`;

const spanSql = `
  select f.epoch, f.head, coalesce((
    select json_agg(b.change order by b.seq) from (
      select r.*, row_number() over by_seq as n, sum(octet_length(r.change::text)) over by_seq as bytes
      from (select c.seq, ${changeColumns} as change from (${nextChanges}) c ${authorJoin} offset 0) r
      window by_seq as (order by r.seq)
    ) b
    where $4::bigint is null or b.bytes <= $4 or b.n = 1
  ), '[]'::json) as changes
  from watchfloor.feed f where f.table_name = $1`;

/** The fields $4 of an image of change `c`. */
const picked = (image: "before" | "after") => `
  case when c.${image} is not null then coalesce((
    select jsonb_object_agg(e.key, e.value)
    from jsonb_each(case when f.names is null then c.${image} else watchfloor.named(c.${image}, f.names) end) e
    where e.key = any($4)), '{}'::jsonb) end as ${image}`;

const imagesSql = `
  select f.epoch, coalesce((
    select json_agg(json_build_object('seq', b.seq, 'record', b.record, 'before', b.before, 'after', b.after,
      'entry', b.entry) order by b.seq)
    from (
      select i.*, sum(coalesce(octet_length(i.before::text), 0) + coalesce(octet_length(i.after::text), 0))
        over (order by i.seq) as bytes
      from (select c.seq, c.record, c.entry, ${picked("before")}, ${picked("after")} from (${nextChanges}) c) i
    ) b
    where b.bytes <= $5 or b.seq = $2 + 1
  ), '[]'::json) as changes
  from watchfloor.feed f where f.table_name = $1`;

export interface ChangeRow {
  seq: number;
  kind: LogChange["kind"];
  record: string;
  before: Values | null;
  after: Values | null;
  entry: number | null;
  actor: string;
  name: string | null;
  at: string;
  mutation: string | null;
  origin: string | null;
  changeSet: string | null;
  transition: string | null;
  reason: string | null;
  /** An object whose keys are the fields. */
  erased: Values | null;
}

const origins = new Set<string | null>(originSchema.options);

/** Another program may have set any text in the setting that the trigger reads. */
const isOrigin = (origin: string | null): origin is Origin => origins.has(origin);

/** A row of the log as the rest of the server uses it. */
export function toChange(row: ChangeRow): LogChange {
  return {
    seq: row.seq,
    kind: row.kind,
    record: row.record,
    before: row.before,
    after: row.after,
    entry: row.entry,
    by: authorOf(row.actor, row.name),
    at: row.at,
    ...(row.mutation !== null && { mutation: row.mutation }),
    ...(isOrigin(row.origin) && { origin: row.origin }),
    ...(row.changeSet !== null && { changeSet: row.changeSet }),
    ...(row.transition !== null && { transition: row.transition }),
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.erased !== null && { erased: Object.keys(row.erased) }),
  };
}
