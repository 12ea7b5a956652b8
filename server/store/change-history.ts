import type { QueryResultRow } from "pg";
import type { Json } from "../../shared/filter/filter.ts";
import type { Position } from "../../shared/protocol/position.ts";
import { authorJoin, type ChangeRow, changeColumns, isPresent, toChange } from "./feed-log.ts";
import type { LogChange } from "./log-change.ts";

/**
 * The earlier changes of one record, read from the change log: history, what changed since a position, and
 * who deleted it. The order of a record's changes is that of their ordinals, because each writer held the row
 * lock when its change was logged.
 */

/** A pool, or a session within its transaction. */
export interface Queryable {
  query<Row extends QueryResultRow>(text: string, values: unknown[]): Promise<{ rows: Row[] }>;
}

/** Changes of one record that are read while its row is locked. */
const LOCKED_READ_MAX_CHANGES = 1_000;

// A change's seq: its numbering's end, minus what came after it in the same transaction. The subquery reads
// the newest first, so that a limit avoids counting older ones.
const changesOf = (record: string, newest: number | null = null, isBefore = "true") => `
  from (
    select k.* from watchfloor.change k join watchfloor.feed t on t.id = k.feed
    where t.table_name = $1 and k.record = ${record} and ${isBefore}
    order by k.ord desc ${newest === null ? "offset 0" : `limit ${newest}`}
  ) c
  join watchfloor.feed f on f.id = c.feed
  cross join lateral (
    select n.upto - n.n + (
      select count(*) from watchfloor.change k
      where k.tx = c.tx and k.feed + 0 = c.feed and k.ord between n.first_ord and c.ord) as seq
    from watchfloor.numbering n
    where n.tx = c.tx and n.feed = c.feed and c.ord between n.first_ord and n.last_ord
  ) s`;

const columns = changeColumns.replace("c.seq", "s.seq");

/** A change of a record with its place in the log and its size as JSON. */
export interface StoredChange {
  change: LogChange;
  place: number;
  bytes: number;
}

/**
 * Changes of a record, newest first: those before position `before`, or before a place in the log, if they are given. A part after
 * another is read by the place where that one ended: by a position, the newer changes would be read again each time.
 */
export async function readHistory(
  store: Queryable,
  table: string,
  record: string,
  {
    limit,
    before = null,
    beforePlace = null,
  }: { limit: number; before?: number | null; beforePlace?: number | null },
): Promise<StoredChange[]> {
  const { rows } = await store.query<Omit<StoredChange, "change"> & { change: ChangeRow }>(
    `select change, place, octet_length(change::text) as bytes from (
       select c.ord as place, ${columns} as change
       ${changesOf("$2", null, "($5::bigint is null or k.ord < $5)")} ${authorJoin}
       where $3::bigint is null or s.seq < $3
       order by c.ord desc limit $4
     ) h order by place desc`,
    [table, record, before, limit, beforePlace],
  );
  return rows.map((row) => ({ ...row, change: toChange(row.change) }));
}

/**
 * The changes of records after a position each, oldest first; null if the log does not reach back, the
 * position belongs to another history, or there are more than the limit. Results are in the order of the
 * arguments, as for the two below: one query, however many records.
 */
export async function readChangedSince(
  store: Queryable,
  table: string,
  requested: readonly ({ record: string } & Position)[],
): Promise<(LogChange[] | null)[]> {
  const { rows } = await store.query<{ known: boolean; changes: ChangeRow[] }>(
    `select p.floor <= w.seq and ${isPresent("p", "w.epoch", "w.seq")} as known, coalesce((
       select json_agg(${columns} order by c.ord)
       ${changesOf("w.record", LOCKED_READ_MAX_CHANGES)} ${authorJoin}
       where s.seq > w.seq), '[]'::json) as changes
     from unnest($2::text[], $3::bigint[], $4::text[]) with ordinality w(record, seq, epoch, n)
     join watchfloor.feed p on p.table_name = $1 order by w.n`,
    [
      table,
      requested.map(({ record }) => record),
      requested.map(({ seq }) => seq),
      requested.map(({ epoch }) => epoch),
    ],
  );
  return requested.map((_, index) => {
    const found = rows[index];
    const isComplete = found?.known && found.changes.length < LOCKED_READ_MAX_CHANGES;
    return isComplete ? found.changes.map(toChange) : null;
  });
}

/** The change that deleted a record, if that is its last one. */
export async function readDeletion(
  store: Queryable,
  table: string,
  record: string,
): Promise<LogChange | null> {
  const [deletion] = await readDeletions(store, table, [record]);
  return deletion ?? null;
}

/** The changes that deleted records, each if that is its last one. */
export async function readDeletions(
  store: Queryable,
  table: string,
  records: readonly string[],
): Promise<(LogChange | null)[]> {
  const { rows } = await store.query<{ change: ChangeRow | null }>(
    `select l.change from unnest($2::text[]) with ordinality w(record, n) left join lateral (
       select case when c.kind = 'delete' then ${columns} end as change
       ${changesOf("w.record", 1)} ${authorJoin}
       order by c.ord desc limit 1) l on true
     order by w.n`,
    [table, records],
  );
  return rows.map(({ change }) => change && toChange(change));
}

/** The creations and deletions of records from a position on, oldest first: among their newest changes, as above. */
export async function readCreationsFrom(
  store: Queryable,
  table: string,
  requested: readonly { record: string; seq: number }[],
): Promise<LogChange[][]> {
  const { rows } = await store.query<{ changes: ChangeRow[] }>(
    `select coalesce((
       select json_agg(${columns} order by c.ord)
       ${changesOf("w.record", LOCKED_READ_MAX_CHANGES)} ${authorJoin}
       where c.kind <> 'update' and s.seq >= w.seq), '[]'::json) as changes
     from unnest($2::text[], $3::bigint[]) with ordinality w(record, seq, n) order by w.n`,
    [table, requested.map(({ record }) => record), requested.map(({ seq }) => seq)],
  );
  return rows.map(({ changes }) => changes.map(toChange));
}

/** The fields of records of which a value was ever erased (ADR 41). */
export async function readErasedFields(
  store: Queryable,
  table: string,
  records: readonly string[],
): Promise<string[][]> {
  const { rows } = await store.query<{ fields: string[] }>(
    `select coalesce(array_agg(distinct e.field) filter (where e.field is not null), '{}') as fields
     from unnest($2::text[]) with ordinality w(record, n)
     join watchfloor.feed f on f.table_name = $1
     left join watchfloor.change c on c.feed = f.id and c.record = w.record and c.erased is not null
     left join lateral jsonb_object_keys(
       case when f.names is null then c.erased else watchfloor.named(c.erased, f.names) end
     ) e(field) on true
     group by w.n order by w.n`,
    [table, records],
  );
  return rows.map(({ fields }) => fields);
}

/** The last change of a field of a record, for each argument; null if the log has none. */
export async function readLastChanges(
  store: Queryable,
  table: string,
  requested: readonly { record: string; field: string }[],
): Promise<(LogChange | null)[]> {
  const { rows } = await store.query<{ change: ChangeRow | null }>(
    `select l.change from unnest($2::text[], $3::text[]) with ordinality w(record, field, n)
     left join lateral (
       select ${columns} as change ${changesOf("w.record", LOCKED_READ_MAX_CHANGES)} ${authorJoin}
       where c.kind = 'insert' or
         case when f.names is null then c.before else watchfloor.named(c.before, f.names) end ? w.field
       order by c.ord desc limit 1) l on true
     order by w.n`,
    [table, requested.map(({ record }) => record), requested.map(({ field }) => field)],
  );
  return rows.map(({ change }) => change && toChange(change));
}

/** The values that fields of records have held, for each argument: those that the newest changes of the record name. */
export async function readEarlierValues(
  store: Queryable,
  table: string,
  requested: readonly { record: string; field: string }[],
): Promise<Json[][]> {
  const { rows } = await store.query<{ changes: ChangeRow[] }>(
    `select coalesce((
       select json_agg(${columns})
       ${changesOf("w.record", LOCKED_READ_MAX_CHANGES)} ${authorJoin}
       where c.kind <> 'update' or
         case when f.names is null then c.before else watchfloor.named(c.before, f.names) end ? w.field
     ), '[]'::json) as changes
     from unnest($2::text[], $3::text[]) with ordinality w(record, field, n) order by w.n`,
    [table, requested.map(({ record }) => record), requested.map(({ field }) => field)],
  );
  return rows.map(({ changes }, index) => {
    const field = requested[index]?.field ?? "";
    return changes
      .map(toChange)
      .flatMap(({ before, after }) => [
        ...(before && field in before ? [before[field] ?? null] : []),
        ...(after && field in after ? [after[field] ?? null] : []),
      ]);
  });
}
