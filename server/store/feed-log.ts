import { sql } from "kysely";
import type { Values } from "../../shared/model/model.ts";
import { authorOf } from "./author.ts";
import type { Database } from "./database.ts";
import type { FeedState, LogChange, LogSpan } from "./log-change.ts";

/** Where every feed stands, in one consistent snapshot. */
export async function readFeedStates({ kysely }: Pick<Database, "kysely">): Promise<FeedState[]> {
  const found = await sql<FeedState>`
    select table_name as "table", epoch, head, floor from watchfloor.feed
  `.execute(kysely);
  return found.rows;
}

/**
 * Everything that a feed holds in (after, to], in commit order and without hole, at most `limit`
 * changes. `to` is the last one read, or `after` where there is nothing new. No such feed: null.
 */
export async function readSpan(
  { pool }: Database,
  table: string,
  after: number,
  limit: number,
): Promise<LogSpan | null> {
  const { rows } = await pool.query({
    name: "read-span",
    text: spanSql,
    values: [table, after, limit],
  });
  const first = rows[0] as SpanRow | undefined;
  if (!first) return null;
  const changes = first.changes.map(toChange);
  return {
    table,
    epoch: first.epoch,
    from: after,
    to: changes.at(-1)?.seq ?? after,
    changes,
  };
}

/**
 * The columns of a change, ready for `toChange`, from `c` (the change), `f` (its feed) and `seq`. The
 * log is kept by columns and told by the names of now; what was removed is not told any more. As json and
 * not jsonb: it is only read, and the documents in it need not be taken apart and put together again.
 */
export const changeColumns = `json_build_object(
    'seq', c.seq, 'kind', c.kind, 'record', c.record,
    'before', case when f.names is null then c.before else watchfloor.named(c.before, f.names) end,
    'after', case when f.names is null then c.after else watchfloor.named(c.after, f.names) end,
    'actor', c.actor, 'name', u.name, 'at', c.at, 'mutation', c.mutation, 'batch', c.batch,
    'transition', c.transition, 'reason', c.reason)`;

/** A person's name travels with the change, so that no screen has to look it up. */
export const authorJoin = `left join watchfloor."user" u
  on u.id = substr(c.actor, 6) and left(c.actor, 5) = 'user:'`;

// A span may end inside a transaction: one that touched a million rows must not be read at once.
const spanSql = `
  select f.epoch, coalesce((
    select json_agg(${changeColumns} order by c.seq)
    from (
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
      ) k
    ) c ${authorJoin}
  ), '[]'::json) as changes
  from watchfloor.feed f where f.table_name = $1`;

interface SpanRow {
  epoch: string;
  changes: ChangeRow[];
}

export interface ChangeRow {
  seq: number;
  kind: LogChange["kind"];
  record: string;
  before: Values | null;
  after: Values | null;
  actor: string;
  name: string | null;
  at: string;
  mutation: string | null;
  batch: string | null;
  transition: string | null;
  reason: string | null;
}

/** A row of the log as the rest of the server knows it. */
export function toChange(row: ChangeRow): LogChange {
  return {
    seq: row.seq,
    kind: row.kind,
    record: row.record,
    before: row.before,
    after: row.after,
    by: authorOf(row.actor, row.name),
    at: row.at,
    ...(row.mutation !== null && { mutation: row.mutation }),
    ...(row.batch !== null && { batch: row.batch }),
    ...(row.transition !== null && { transition: row.transition }),
    ...(row.reason !== null && { reason: row.reason }),
  };
}
