import { sql } from "kysely";
import type { Values } from "../../shared/model/model.ts";
import type { CommentFilter, CommentUser } from "../../shared/protocol/comments.ts";
import type { Db } from "./database.ts";
import { ago, execute, hasRow, rowOf, rowsOf, sweptBefore } from "./statement.ts";

/** Tables watchfloor.comment and watchfloor.comment_read. `n` orders comments; tables are named by their ids. */

export interface CommentRow {
  id: string;
  n: number;
  table_id: string;
  record: string;
  author: string;
  text: string;
  created_at: string;
  edited_at: string | null;
  resolved_at: string | null;
  resolved_by: string | null;
  removed_by: string | null;
  /** The names of author and resolver, if they are users who still exist. */
  author_name: string | null;
  author_colour: string | null;
  resolver_name: string | null;
  mentioned: CommentUser[];
  /** The reader's position in the thread. */
  upto: number | null;
}

interface CommentQuery extends Pick<CommentFilter, "record" | "by" | "from" | "to"> {
  /** Ids of tables. */
  tables: readonly string[];
  /** The id of a user who is mentioned. */
  mentioned?: string | undefined;
  before: number | null;
  size: number;
}

const select = (reader: string) => sql`
  select c.id, c.n, c.table_id, c.record, c.author, c.text, c.created_at, c.edited_at,
    c.resolved_at, c.resolved_by, c.removed_by, coalesce(u.name, t.name) as author_name,
    u.colour as author_colour, coalesce(v.name, w.name) as resolver_name, s.upto,
    coalesce((select json_agg(json_build_object('id', m.id, 'name', m.name, 'colour', m.colour))
      from watchfloor."user" m where m.id = any(c.mentions)), '[]'::json) as mentioned
  from watchfloor.comment c
  left join watchfloor."user" u on 'user:' || u.id = c.author
  left join watchfloor.api_token t on 'token:' || t.id = c.author
  left join watchfloor."user" v on 'user:' || v.id = c.resolved_by
  left join watchfloor.api_token w on 'token:' || w.id = c.resolved_by
  left join watchfloor.comment_read s
    on s.user_id = ${reader} and s.table_id = c.table_id and s.record = c.record`;

/** The comments that match, newest first. */
export function listComments(
  db: Db,
  reader: string,
  { tables, record, by, from, to, mentioned, before, size }: CommentQuery,
): Promise<CommentRow[]> {
  return rowsOf<CommentRow>(db)`
    ${select(reader)} where c.removed_at is null and c.table_id = any(${tables}::text[])
      and (${record ?? null}::text is null or c.record = ${record ?? null})
      and (${by ?? null}::text is null or split_part(c.author, ':', 2) = ${by ?? null})
      and (${from ?? null}::timestamptz is null or c.created_at >= ${from ?? null}::timestamptz)
      and (${to ?? null}::timestamptz is null or c.created_at < ${to ?? null}::timestamptz)
      and (${mentioned ?? null}::text is null or c.mentions @> array[${mentioned ?? null}])
      and (${before}::bigint is null or c.n < ${before}::bigint)
    order by c.n desc limit ${size}`;
}

/** A record that was created when its thread already had comments, on a deleted record of the same id. */
export interface Recreation {
  record: string;
  /** The last of those comments. */
  upto: number;
  /** The record as it was deleted; null if the log does not hold its deletion. */
  deleted: Values | null;
}

export function readRecreations(
  db: Db,
  table: string,
  tableId: string,
  records: readonly string[],
): Promise<Recreation[]> {
  return rowsOf<Recreation>(db)`
    select c.record, t.upto, case when d.kind = 'delete' then
      case when f.names is null then d.before else watchfloor.named(d.before, f.names) end end as deleted
    from unnest(${records}::text[]) w(record)
    join watchfloor.feed f on f.table_name = ${table}
    join watchfloor.change c on c.feed = f.id and c.record = w.record and c.kind = 'insert'
    cross join lateral (
      select max(m.n) as upto from watchfloor.comment m
      where m.table_id = ${tableId} and m.record = w.record and m.created_at < c.at) t
    left join lateral (
      select k.kind, k.before from watchfloor.change k
      where k.feed = c.feed and k.record = c.record and k.ord < c.ord order by k.ord desc limit 1
    ) d on true
    where t.upto is not null`;
}

/** How long a removed comment can be restored. */
const RETENTION_MS = 30 * 86_400_000;

/** One comment; with `removed`, a removed one that can be restored. */
export function findComment(
  db: Db,
  reader: string,
  id: string,
  removed = false,
): Promise<CommentRow | null> {
  return rowOf<CommentRow>(db)`
    ${select(reader)} where c.id = ${id} and (c.removed_at is not null) = ${removed}
      and (c.removed_at is null or c.removed_at > ${ago(RETENTION_MS)})`;
}

type NewComment = Pick<CommentRow, "id" | "table_id" | "record" | "author" | "text"> & {
  mentions: string[];
};

/**
 * Comments on a record are numbered in the order of their commits, so that none is read before it is seen. False if the
 * id is taken by another one than this comment, which its author may have edited since.
 */
export async function insertComment(db: Db, comment: NewComment): Promise<boolean> {
  const { id, table_id, record, author, text, mentions } = comment;
  return db.transaction().execute(async (tx) => {
    await execute(tx)`select pg_advisory_xact_lock(hashtext('watchfloor.comment'),
      hashtext(${`${table_id} ${record}`}))`;
    await execute(tx)`
      insert into watchfloor.comment (id, table_id, record, author, text, mentions)
      values (${id}, ${table_id}, ${record}, ${author}, ${text}, ${mentions}::text[])
      on conflict (id) do nothing`;
    return hasRow(tx)`
      select from watchfloor.comment where id = ${id} and table_id = ${table_id} and record = ${record}
        and author = ${author} and (text = ${text} or edited_at is not null)`;
  });
}

/** Changes the text, or marks the comment as resolved or open again by `actor`. */
export async function updateComment(
  db: Db,
  id: string,
  actor: string,
  { text, mentions, resolved }: { text?: string; mentions?: string[]; resolved?: boolean },
): Promise<void> {
  await execute(db)`update watchfloor.comment set changed_at = now(),
      text = coalesce(${text ?? null}, text), mentions = coalesce(${mentions ?? null}::text[], mentions),
      edited_at = case when ${text ?? null}::text is distinct from text and ${text ?? null}::text is not null
        then now() else edited_at end,
      resolved_at = case ${resolved ?? null}::boolean
        when true then coalesce(resolved_at, now()) when false then null else resolved_at end,
      resolved_by = case ${resolved ?? null}::boolean
        when true then coalesce(resolved_by, ${actor}) when false then null else resolved_by end
    where id = ${id} and removed_at is null`;
}

/** Removes a comment (`actor`), or restores it (null). */
export async function setRemoved(db: Db, id: string, actor: string | null): Promise<void> {
  await execute(db)`update watchfloor.comment set changed_at = now(), removed_by = ${actor},
      removed_at = case when ${actor}::text is null then null else now() end
    where id = ${id}`;
}

/** Erases comments that were removed too long ago to be restored. */
export async function sweepComments(db: Db): Promise<void> {
  const before = sweptBefore(RETENTION_MS, "removed_at", "watchfloor.comment");
  await execute(db)`delete from watchfloor.comment where removed_at <= ${before}`;
}

/** The place of a comment in a thread, also of one that was removed since; null if the thread has no such comment. */
export async function placeInThread(
  db: Db,
  { table_id, record, until }: { table_id: string; record: string; until: string },
): Promise<number | null> {
  const row = await rowOf<{ n: number }>(db)`
    select n from watchfloor.comment
    where id = ${until} and table_id = ${table_id} and record = ${record}`;
  return row?.n ?? null;
}

/** Marks a thread as read by a user up to a place. */
export async function markRead(
  db: Db,
  user: string,
  { table_id, record, n }: { table_id: string; record: string; n: number },
): Promise<void> {
  await execute(db)`
    insert into watchfloor.comment_read (user_id, table_id, record, upto)
    values (${user}, ${table_id}, ${record}, ${n})
    on conflict (user_id, table_id, record)
    do update set upto = greatest(comment_read.upto, excluded.upto)`;
}

/** A thread that changed, and the last of its comments that did. */
export type ThreadChange = Pick<CommentRow, "table_id" | "record" | "n">;

/** The thread of a comment, which may have been removed; null if there is no such comment. */
export async function threadOf(db: Db, n: number): Promise<ThreadChange | null> {
  return rowOf<ThreadChange>(db)`
    select table_id, record, n from watchfloor.comment where n = ${n}`;
}

/** The threads that changed within the last `seconds`. */
export function recentChanges(db: Db, seconds: number): Promise<ThreadChange[]> {
  return rowsOf<ThreadChange>(db)`
    select table_id, record, max(n) as n from watchfloor.comment
    where changed_at > now() - make_interval(secs => ${seconds})
    group by table_id, record`;
}
